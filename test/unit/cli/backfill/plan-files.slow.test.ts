import { createServer } from 'node:http';
import { openFiles } from '#cli/backfill/plan-files.ts';
import { endOnInterrupt, exitCodes } from '#cli/exit-codes.ts';
import type { ChainName } from '#core/chains/chains.ts';
import { servedChain } from '#test/support/served-chain.ts';
import { serve } from '#test/support/servers/serve.ts';
import { useTable } from '#test/support/tables/table.ts';

const table = useTable();
const choose = (url: string, name: ChainName = 'ETHEREUM') => openFiles(servedChain(name, table()), { url });

test('names the mirror that refuses connections, not AWS', async () => {
  const closed = await serve(createServer());
  await closed[Symbol.asyncDispose]();
  await expect(choose(`${closed.url}/`)).rejects.toThrow(
    /^The era files cannot be listed: 127\.0\.0\.1:\d+: .*connect ECONNREFUSED .* Check --url\.$/,
  );
});

test.each([
  ['./no-folder', './no-folder does not exist. With --local'],
  ['./docs', './docs has no files of a node. With --local'],
  ['https://era.example/', 'Era files of BSC do not exist. With --local'],
])('says what is wrong with %s for a chain that has no era files', async (url, problem) => {
  await expect(choose(url, 'BSC')).rejects.toThrow(problem);
});

// The last test: Ctrl-C stays.
test('ends on Ctrl-C while a mirror does not respond', async () => {
  endOnInterrupt();
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  await using mirror = await serve(createServer(() => process.emit('SIGINT')));
  await expect(choose(`${mirror.url}/`)).rejects.toMatchObject({
    message: 'Stopped. No file was read.',
    exitCode: exitCodes.interrupted,
  });
});
