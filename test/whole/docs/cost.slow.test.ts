import { readFileSync } from 'node:fs';
import { countIn } from '#bin/cost-page.ts';
import { stages } from '#lib/stages/stages.ts';

/* test/unit/bin/generate.slow.test.ts compares the bill of docs/operate/cost.md with the templates: alarms, metrics, memory. */

const page = readFileSync('docs/operate/cost.md', 'utf8');

test('six chains without requests cost $23 or less at 25 blocks a second', () => {
  const [, at50 = '', at25 = ''] =
    /\*\*six chains, no requests\*\* +\| \*\*([\d.]+)\*\* +\| \*\*([\d.]+)/.exec(page) ?? [];
  expect(Number(at25)).toBeLessThanOrEqual(23);
  expect(Number(at25)).toBeGreaterThan(Number(at50));
});

test('a chain less has fewer metrics and alarms, and dev has no probe', () => {
  const all = countIn(stages.prod ?? {});
  const fewer = countIn({ ...stages.prod, chains: { BASE: { enabled: false } } });
  expect(fewer.customMetrics).toBeLessThan(all.customMetrics);
  expect(fewer.alarmMetrics).toBeLessThan(all.alarmMetrics);
  expect([all.hasProbe, countIn(stages.dev ?? {}).hasProbe]).toEqual([true, false]);
  expect(page).toContain(`(${all.ingestMemory} MB on arm64)`);
});
