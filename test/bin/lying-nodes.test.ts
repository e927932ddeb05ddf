import type { ChildProcess } from 'node:child_process';
import { coinAmount } from '../../lambda/api/metrics.ts';
import { type ChainName, chainOf } from '../../lambda/chains/chains.ts';
import { startDevelopmentChain } from '../../local/development-chain.ts';
import { runCli } from '../support/cli-process.ts';
import { lies, startLyingProxy } from '../support/lying-proxy.ts';
import { rawFigures } from '../support/raw-node.ts';
import {
  chainsBut,
  endServicesAfterEach,
  READY,
  requestService,
  startServiceProcess,
  withKey,
} from '../support/service-process.ts';

/*
 * npm start with nodes that lie, for each family and each lie, in front of an honest one. Nothing but block hashes contradicts
 * them. The expected figures come from the honest nodes' raw responses.
 */

endServicesAfterEach();
const nodes: ChildProcess[] = [];
afterAll(() => {
  for (const node of nodes) node.kill();
});

/** One day, because its end waits until the liars have cooled down. */
const DAY = '2026-11-17';

/** One chain of each family. */
const names = ['ETHEREUM', 'ARBITRUM', 'BSC', 'OPTIMISM', 'POLYGON'] as const;
const kinds = Object.keys(lies) as (keyof typeof lies)[];

/** Starts an honest node and one liar for each lie. */
async function startNodes(name: ChainName) {
  const { endpoint, mineUntil } = await startDevelopmentChain(
    chainOf(name),
    { firstDay: '2026-11-13', quietDays: 4 },
    (child) => nodes.push(child),
  );
  await mineUntil(new Date('2026-11-18T09:00:00Z'));
  const liars = await Promise.all(kinds.map((kind) => startLyingProxy(endpoint.url, kind)));
  return { name, honest: endpoint, liars };
}

interface Row {
  readonly chain: string;
  readonly evidence: string;
  readonly endpoint_hosts: readonly string[];
}

test('no lie about a block gets through, and the output names each liar with the field', async () => {
  const chains = await Promise.all(names.map(startNodes));
  const urls = chains.map(({ name, honest, liars }) => [
    `RPC_URLS_${name}`,
    [...liars, honest].map(({ url }) => url).join(','),
  ]);
  const service = startServiceProcess({
    ...chainsBut(Object.fromEntries(urls)),
    ...withKey,
    INGEST_START_DATE: DAY,
    INGEST_EVERY_SECONDS: '0.2',
  });
  const url = await service.says(READY);
  for (const { name, honest, liars } of chains) {
    await service.says(new RegExp(`${name} +final: ${DAY}`));
    const { count, wei = 0n } = (await rawFigures(honest.url, [DAY])).get(DAY) ?? {};
    const query = { chain: name, start_date: DAY, end_date: DAY };
    expect(await requestService(url, 'transaction_count', query)).toEqual([
      { date: DAY, transaction_count: count },
    ]);
    expect(await requestService(url, 'fees', query)).toEqual([{ date: DAY, fees: coinAmount(wei) }]);
    for (const { host } of liars) {
      await service.says(new RegExp(`${name} +not proven: ${host}: ${name} block \\d+: [\\w.[\\]]+: `));
    }
  }

  const { stdout } = await runCli(['export'], { PORT: new URL(url).port });
  const rows: Row[] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows).toHaveLength(names.length);
  expect(rows.filter(({ evidence }) => evidence !== 'proven')).toEqual([]);
  await Promise.all(chains.flatMap(({ liars }) => liars).map((liar) => liar[Symbol.asyncDispose]()));
}, 60_000);
