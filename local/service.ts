import { setTimeout as sleep } from 'node:timers/promises';
import { type Chain, type ChainName, chainNames, chainOf } from '../lambda/chains/chains.ts';
import { addDays, dayOf, type UtcDay } from '../lambda/chains/utc-day.ts';
import { ingestChain } from '../lambda/ingest/ingest-chain.ts';
import type { IngestReport } from '../lambda/ingest/report.ts';
import { secretEndpoints } from '../lambda/rpc/endpoint.ts';
import { openUpstream, type Upstream } from '../lambda/rpc/upstream.ts';
import { chainStore } from '../lambda/store/chain-store.ts';
import { startChildGuard } from './child-guard.ts';
import { blocksFileIn, historyIn } from './data-dir.ts';
import { type DevelopmentChain, type History, startDevelopmentChain } from './development-chain.ts';
import { startEmbeddedTable } from './embedded-table.ts';
import { startGateway } from './gateway.ts';
import { loadHandlers } from './handlers.ts';
import { keyCheck } from './keys.ts';
import { DAYS_BACK, type Settings } from './settings.ts';

/** The whole service on one machine. */
export interface Service {
  readonly url: string;
  /** Where the DynamoDB API of its table answers. */
  readonly tableUrl: string;
  readonly chains: readonly LocalChain[];
  /** First day that is ingested. */
  readonly from: UtcDay;
}

interface LocalChain {
  readonly name: ChainName;
  readonly chain: Chain;
  readonly urls: readonly string[];
  readonly upstreams: readonly Upstream[];
  /** Absent when real nodes are read. */
  readonly development?: DevelopmentChain;
}

/** Days before those that development chains have too, for whoever wants to fill them. */
const QUIET_DAYS = 35;

/** A run in the cloud ends with its Lambda; here it ends often enough to be reported. */
const RUN_MS = 60_000;

/**
 * Starts everything, for as long as this process lives, and returns when each development chain is ingested up to now.
 * @param onReport is told what each ingest run did
 * @throws Error in one sentence when something cannot be started
 */
export async function startService(
  settings: Settings,
  onReport: (report: IngestReport) => void,
): Promise<Service> {
  const table = await startEmbeddedTable(settings.dataDir, settings.table);
  const isAllowed = keyCheck(table.keys, settings.apiKey);
  const gateway = await startGateway(settings.port, isAllowed, await loadHandlers(table));
  const today = dayOf(Date.now() / 1000);
  const history = historyIn(settings.dataDir, settings.rpcUrls, {
    firstDay: addDays(today, -DAYS_BACK - QUIET_DAYS),
    quietDays: QUIET_DAYS,
  });
  const chains = await startChains(settings, history);

  const from = settings.startDay ?? addDays(history.firstDay, history.quietDays);
  const ingest = async ({ chain, upstreams, development }: LocalChain) => {
    await development?.mineUntil(new Date());
    const confirmations = settings.confirmations.get(chain.name);
    const stopAt = Date.now() + RUN_MS;
    const store = chainStore(table, chain.name);
    onReport(await ingestChain({ chain, upstreams, store, from, stopAt, confirmations }));
  };
  await Promise.all(chains.filter(({ development }) => development).map(ingest));

  // Each chain has a loop of its own, so that none waits for another.
  for (const local of chains) {
    void repeat(settings.everySeconds, () =>
      ingest(local).catch((error: unknown) => console.error({ chain: local.chain.name, error })),
    );
  }
  return { url: gateway.url, tableUrl: table.endpoint, chains, from };
}

async function repeat(everySeconds: number, run: () => Promise<void>): Promise<never> {
  for (;;) {
    await run();
    await sleep(everySeconds * 1000);
  }
}

async function startChains({ rpcUrls, dataDir }: Settings, history: History): Promise<LocalChain[]> {
  const guard = startChildGuard();
  return Promise.all(
    chainNames.map(async (name) => {
      const chain = chainOf(name);
      const urls = rpcUrls.get(name);
      if (urls) return { name, chain, urls, upstreams: secretEndpoints(chain, urls).map(openUpstream) };
      const file = dataDir && blocksFileIn(dataDir, name);
      const development = await startDevelopmentChain(chain, history, guard, file);
      const { endpoint } = development;
      const own = { chain: development.chain, urls: [endpoint.url], upstreams: [openUpstream(endpoint)] };
      return { name, ...own, development };
    }),
  );
}
