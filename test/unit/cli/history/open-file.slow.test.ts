import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openFile } from '#cli/history/open-file.ts';
import { drawRows } from '#cli/history/sample.ts';
import { chainOf } from '#core/chains/chains.ts';
import { addDays } from '#core/figures/calendar.ts';
import { createFolder } from '#test/support/folders.ts';

const ROWS = 200_000;

function* lines() {
  yield 'chain,date,first_block,last_block,block_count,transaction_count,protocol_transaction_count,execution_fees,l1_data_fees,operator_fees,blob_fees,retryable_double_count,first_block_hash,last_block_hash\n';
  let date = '2020-06-01';
  for (let index = 0; index < ROWS; index++) {
    const first = 1_000_000 + index * 10;
    if (index % 100 === 99) date = addDays(date, 1);
    yield `POLYGON,${date},${first},${first + 9},10,7,0,12345678901234567891,0,0,0,0,0x${index.toString(16).padStart(64, '0')},0x${'f'.repeat(64)}\n`;
  }
}

test('reads 200,000 rows and draws from them in 200 MB', async () => {
  const path = join(createFolder(), 'rows.csv');
  await pipeline(Readable.from(lines()), createWriteStream(path));
  const before = process.memoryUsage().rss;
  const chain = chainOf('POLYGON');
  const file = await openFile(path, chain);
  const { left } = drawRows(chain, file.rows, { draws: [{ seed: 'a', ranges: 300, days: 0 }], equal: [] });
  expect([file.rows.length, left.length >= 300]).toEqual([ROWS, true]);
  expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(200);
});
