import { createServer } from 'node:http';
import { openFiles } from '#cli/backfill/plan-files.ts';
import { endOnInterrupt, exitCodes } from '#cli/exit-codes.ts';
import { chainOf } from '#core/chains/chains.ts';
import { chainStore } from '#core/store/table/table.ts';
import { serve } from '#test/support/servers/serve.ts';
import { useTable } from '#test/support/tables/table.ts';

const table = useTable();
const choose = (url: string) =>
  openFiles(
    {
      name: 'ETHEREUM',
      chain: chainOf('ETHEREUM'),
      store: chainStore(table(), 'ETHEREUM'),
      createUpstreams: async () => [],
    },
    { url },
  );

test('names the mirror that refuses connections, not AWS', async () => {
  const closed = await serve(createServer());
  await closed[Symbol.asyncDispose]();
  await expect(choose(`${closed.url}/`)).rejects.toThrow(
    /^The era files cannot be listed: 127\.0\.0\.1:\d+: .*connect ECONNREFUSED .* Check --url\.$/,
  );
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
