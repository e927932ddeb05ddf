import { setTimeout as sleep } from 'node:timers/promises';
import { type Chain, type ChainName, chainNames, chainOf } from '../lambda/chains/chains.ts';
import { addDays, dayOf, type UtcDay } from '../lambda/chains/utc-day.ts';
import { recordLag } from '../lambda/ingest/after-run.ts';
import type { IngestReport } from '../lambda/ingest/report.ts';
import { ingestChain } from '../lambda/ingest/run.ts';
import { secretEndpoints } from '../lambda/rpc/endpoint.ts';
import { openUpstream, type Upstream } from '../lambda/rpc/upstream.ts';
import { chainStore } from '../lambda/store/chain-store.ts';
import { startChildGuard } from './child-guard.ts';
import { blocksFileIn, scheduleIn } from './data-dir.ts';
import {
  type BlockSchedule,
  type DevelopmentChain,
  developmentDefinition,
  startDevelopmentChain,
} from './development-chain.ts';
import { startEmbeddedTable } from './embedded-table.ts';
import { startGateway } from './gateway.ts';
import { loadHandlers } from './handlers.ts';
import { keyCheck } from './keys.ts';
import { DAYS_BACK, type Settings } from './settings.ts';
import { openWebhook } from './webhook.ts';

/** The service on this machine. */
export interface LocalService {
  readonly url: string;
  /** Endpoint of the table's DynamoDB API. */
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
  /** Absent for a chain with real nodes. */
  readonly development?: DevelopmentChain;
}

/** Days of development chains before the ingested ones, left for trying out a backfill. */
const QUIET_DAYS = 35;

/** Time limit of a run, short enough for regular reports. */
const RUN_MS = 60_000;

/**
 * Starts all parts of the service, which run until the process exits. Returns when development chains are ingested up to now.
 * @param onReport receives the report of each ingest run
 * @throws Error with a message for the user when a part cannot be started
 */
export async function startService(
  settings: Settings,
  onReport: (report: IngestReport) => void,
): Promise<LocalService> {
  const table = await startEmbeddedTable(settings.dataDir, settings.table);
  const isAllowed = keyCheck(table.keys, settings.apiKey);
  const today = dayOf(Date.now() / 1000);
  const schedule = scheduleIn(settings.dataDir, settings.rpcUrls, {
    firstDay: addDays(today, -DAYS_BACK - QUIET_DAYS),
    quietDays: QUIET_DAYS,
  });
  const from = settings.startDay ?? addDays(schedule.firstDay, schedule.quietDays);
  const startDates = Object.fromEntries(chainNames.map((name) => [name, from]));
  const handlers = await loadHandlers(table, startDates);
  const gateway = await startGateway(settings.api, isAllowed, handlers);
  const chains = await startChains(settings, schedule);

  const sendEvent = openWebhook(settings.eventsWebhookUrl);
  const ingest = async ({ name, chain, upstreams, development }: LocalChain) => {
    await development?.mineUntil(new Date());
    const confirmations = settings.confirmations.get(name);
    const evidence = settings.evidence.get(name);
    const stopAt = Date.now() + RUN_MS;
    const store = chainStore(table, chain.name);
    const run = { chain, upstreams, store, from, stopAt, confirmations, evidence, sendEvent };
    const report = await ingestChain(run);
    await recordLag(store, report);
    onReport(report);
  };
  await Promise.all(chains.filter(({ development }) => development).map(ingest));

  // One loop per chain, so that a slow chain delays no other.
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

async function startChains({ rpcUrls, dataDir }: Settings, schedule: BlockSchedule): Promise<LocalChain[]> {
  const guard = startChildGuard();
  return Promise.all(
    chainNames.map(async (name) => {
      const chain = chainOf(name);
      const urls = rpcUrls.get(name);
      if (urls) return { name, chain, urls, upstreams: secretEndpoints(chain, urls).map(openUpstream) };
      const file = dataDir && blocksFileIn(dataDir, name);
      const definition = developmentDefinition(chain);
      const development = await startDevelopmentChain(definition, schedule, guard, file);
      const { endpoint } = development;
      return {
        name,
        chain: definition,
        urls: [endpoint.url],
        upstreams: [openUpstream(endpoint)],
        development,
      };
    }),
  );
}
