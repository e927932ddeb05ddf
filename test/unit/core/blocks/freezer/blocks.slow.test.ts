import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freezerOf, sumFreezer } from '#test/support/generators/files/freezer-scene.ts';
import { randomFrom } from '#test/support/generators/random/random.ts';
import { randomChain } from '#test/support/generators/random/random-chain.ts';

/** Reading a freezer takes milliseconds, and all bytes minutes. */
const EVERY = 19;

test('a changed byte of a small freezer is refused, or changes no figure', async () => {
  const span = { firstDay: '2026-01-01', days: 2 };
  const { chain, blocks } = await randomChain('bsc', randomFrom(5), span);
  const folder = freezerOf(chain, blocks.slice(0, 2));
  const figures = async () => {
    const all = await sumFreezer(folder, chain).catch(() => []);
    return all.flatMap(({ problem, days }) => (problem === undefined ? days : []));
  };
  const honest = await figures();
  const lastHash = honest.at(-1)?.last?.hash;
  expect(honest.reduce((sum, { totals }) => sum + totals.transactions, 0)).toBeGreaterThan(3);
  let refused = 0;
  for (const table of ['headers', 'bodies', 'receipts'])
    for (const kind of ['cidx', 'meta', '0000.cdat']) {
      const path = join(folder, `${table}.${kind}`);
      const bytes = readFileSync(path);
      for (let at = 0; at < bytes.length; at += EVERY) {
        const changed = Buffer.from(bytes);
        changed.writeUInt8((bytes[at] ?? 0) ^ (1 << (at % 8)), at);
        writeFileSync(path, changed);
        const found = await figures();
        // The hosts confirm the hash of the last block: another one is refused.
        if (found.at(-1)?.last?.hash === lastHash) expect(found).toEqual(honest);
        else refused += 1;
      }
      writeFileSync(path, bytes);
    }
  expect(refused).toBeGreaterThan(50);
});
