import { gzipSync } from 'node:zlib';
import { ceilingsOf, PAGE_KB } from '#bin/cost-ceilings.ts';
import { readSite } from '#lambda/pages/site.ts';
import { dev } from '#lib/stages/dev.ts';
import { prod } from '#lib/stages/prod.ts';
import { createFolder } from '#test/support/folders.ts';
import { buildSite } from '#web/build.ts';

/* Proves that the most that strangers can cost follows from the templates of the stages, and from pages as large as they are. */

test('no page is larger, compressed, than its ceiling assumes', () => {
  const folder = createFolder();
  buildSite(folder);
  const site = readSite(folder);
  for (const [path, kilobytes] of Object.entries(PAGE_KB)) {
    const [start = '', rest] = path.split('{file}');
    const files = [...site].filter(([name]) => (rest === undefined ? name === path : name.startsWith(start)));
    expect(files.length).toBeGreaterThan(0);
    for (const [, { body }] of files) expect(gzipSync(body).length / 1_000).toBeLessThan(kilobytes);
  }
});

test('strangers cost at most $100 a day at the pages, and refused requests nothing without a role for logs', () => {
  const ceilings = ceilingsOf({ dev, prod });
  expect(ceilings['the pages, at their throttles']).toBeLessThan(100);
  expect(ceilings['refused requests in `dev`, 10,000 a second']).toBe(0);
  // The bytes of six chains, and the hours of the gateway.
  expect(ceilings['a NAT gateway for `vpc`, six chains']).toBeCloseTo(180.7 * 0.045 + 24 * 0.045, 2);
});

test('the ceilings follow the template', () => {
  const one = ceilingsOf({ dev, prod });
  const other = ceilingsOf({
    dev: { ...dev, pages: false, requestsPerSecond: 50 },
    prod: { ...prod, apiLogRole: 'none' },
  });
  expect(other['the pages, at their throttles']).toBe(0);
  const preflights = 'preflight requests in `dev`, with `corsOrigins`';
  expect(other[preflights]).toBeCloseTo(2 * (one[preflights] ?? 0), 6);
  const refused = 'refused requests in `prod`, if its execution log has them';
  expect(one[refused]).toBeGreaterThan(0);
  expect(other[refused]).toBe(0);
});
