import { setTimeout as sleep } from 'node:timers/promises';
import { finalitySourcesOf } from '../core/anchor/prove-final.ts';
import { withBeacon } from '../core/chains/beacon-choice.ts';
import { type ChainName, chainOf } from '../core/chains/chains.ts';
import { addDays, type UtcDay } from '../core/figures/calendar.ts';
import { noteSchedule } from '../core/ingest/ask-schedule.ts';
import { recordLag, reviewConflicts } from '../core/ingest/freshness.ts';
import type { IngestReport } from '../core/ingest/report.ts';
import { ingestChain } from '../core/ingest/run.ts';
import { secretEndpoints } from '../core/rpc/endpoint.ts';
import { createUpstream } from '../core/rpc/upstream.ts';
import { getCoverage } from '../core/store/chain/coverage.ts';
import { itemKey } from '../core/store/table/keys.ts';
import { chainStore, type Table } from '../core/store/table/table.ts';
import { startChildGuard } from './child-guard.ts';
import { developmentDefinition, startDevelopmentChain } from './development-chain.ts';
import { type BlockSchedule, blocksFileIn, localSchedule, refuseMixedDays } from './development-days.ts';
import { startEmbeddedTable } from './embedded-table.ts';
import { startGateway } from './gateway.ts';
import { loadHandlers } from './handlers.ts';
import { keyCheck } from './keys.ts';
import { createMemoryTable } from './memory-table.ts';
import type { Settings } from './settings.ts';
import { traceOf } from './trace.ts';
import { createWebhook } from './webhook.ts';

export type LocalService = Awaited<ReturnType<typeof startService>>;
type LocalChain = Awaited<ReturnType<typeof startChains>>[number];

/** Time limit of a run, short enough for regular reports. */
const RUN_MS = 60_000;

/**
 * Starts all parts of the service, which run until the process exits. Returns when development chains are ingested up to now.
 * @throws Error with a message for the user when a part cannot be started
 */
export async function startService(settings: Settings, onReport: (report: IngestReport) => void) {
  const table = await startEmbeddedTable(settings.dataDir, settings.table);
  const isAllowed = keyCheck(table.keys, settings.apiKey);
  const { schedule, from, gap } = localSchedule(settings);
  const startOf = (name: ChainName) => (name === gap?.chain ? addDays(gap.day, 1) : from);
  const startDates = Object.fromEntries(settings.chains.map((name) => [name, startOf(name)]));
  const invented = settings.chains.filter((name) => !settings.rpcUrls.has(name));
  const handlers = await loadHandlers(table, startDates, invented, settings.publicDays);
  const gateway = await startGateway(settings.api, isAllowed, handlers);
  const chains = await startChains(settings, schedule, table);

  const ingest = createIngest(settings);
  const ingestPast = async (local: LocalChain) => {
    if (await getCoverage(chainStore(table, local.name)))
      return onReport(await ingest(table, local, startOf(local.name)));
    const memory = createMemoryTable(table, itemKey({ chain: local.name }, 'coverage').date);
    // On the day of the gap, the chain ends at noon.
    const noon = local.name === gap?.chain ? new Date(`${gap.day}T12:00:00Z`) : undefined;
    const before = noon && (await ingest(memory.table, local, from, noon));
    const after = await ingest(memory.table, local, startOf(local.name));
    await memory.save();
    onReport({ ...after, days: [...(before?.days ?? []), ...after.days] });
  };
  await Promise.all(chains.filter(({ development }) => development).map(ingestPast));

  // One loop per chain, so that a slow chain delays no other.
  for (const local of chains) {
    void repeat(settings.everySeconds, () =>
      ingest(table, local, startOf(local.name)).then(onReport, (error: unknown) =>
        console.error({ chain: local.chain.name, error }),
      ),
    );
  }
  // As in the announcement.
  return { url: gateway.url, tableUrl: table.endpoint, chains, from, gap };
}

/** Returns a function that runs a chain's ingest once. A development chain mines first what is due at `now`. */
function createIngest(settings: Settings) {
  const sendEvent = createWebhook(settings.eventsWebhookUrl);
  return async (table: Table, local: LocalChain, from: UtcDay, now = new Date()) => {
    await local.development?.mineUntil(now);
    const store = chainStore(table, local.name);
    const run = { ...settings.settingsOf(local.name), ...local, store, from, sendEvent };
    const report = await ingestChain({ ...run, stopAt: Date.now() + RUN_MS, trace: traceOf(process.env) });
    await Promise.all([
      recordLag(store, report),
      reviewConflicts(store, report),
      // A development chain has the forks of its node, not those of the chain whose name it bears.
      local.development ||
        noteSchedule(local.chain, store, async () => {
          return { upstreams: local.upstreams, servers: run.proof?.servers ?? [] };
        }),
    ]);
    return report;
  };
}

async function repeat(everySeconds: number, run: () => Promise<void>): Promise<never> {
  for (;;) {
    await run();
    await sleep(everySeconds * 1000);
  }
}

async function startChains(settings: Settings, schedule: BlockSchedule, table: Table) {
  const { rpcUrls, dataDir, settingsOf } = settings;
  const guard = startChildGuard();
  return Promise.all(
    settings.chains.map(async (name) => {
      const urls = rpcUrls.get(name);
      if (dataDir) await refuseMixedDays(chainStore(table, name), dataDir, urls !== undefined);
      const own = settingsOf(name);
      const chain = urls ? withBeacon(chainOf(name), own.beacon) : chainOf(name);
      if (urls) {
        const proof = finalitySourcesOf(chain, own, false);
        const upstreams = secretEndpoints(chain, urls).map(createUpstream);
        return { name, chain, urls, upstreams, proof };
      }
      const file = dataDir && blocksFileIn(dataDir, name);
      const definition = developmentDefinition(chain, schedule.firstDay);
      const development = await startDevelopmentChain(definition, schedule, guard, file);
      const upstreams = [createUpstream(development.endpoint)];
      return { name, chain: definition, urls: [development.endpoint.url], upstreams, development };
    }),
  );
}
