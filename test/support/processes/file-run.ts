import { fileBlocks } from '#core/blocks/files/file-blocks.ts';
import type { BlockFiles } from '#core/blocks/files/source.ts';
import { type Chain, chainOf } from '#core/chains/chains.ts';
import type { UtcDay } from '#core/figures/calendar.ts';
import type { IngestReport } from '#core/ingest/report.ts';
import { type IngestRun, ingestChain } from '#core/ingest/run.ts';
import type { SourceSettings } from '#core/settings/chain-settings.ts';
import type { ChainStore } from '#core/store/table/table.ts';
import { fastClock } from '#test/support/clock.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { ERA_DAYS, eraDaysIn, eraScene } from '#test/support/generators/files/era-scene.ts';
import { filesInMemory } from '#test/support/generators/files/read-files.ts';
import type { NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';
import { startNodes } from '#test/support/nodes/several-nodes.ts';
import { upstreamsOf } from '#test/support/nodes/source.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

/** The first day of the chain, and of its schedule. */
export const FROM = ERA_DAYS[0] ?? '';
/** Genesis is before its first day, as it is on the real chain. */
const ETHEREUM = { ...chainOf('ETHEREUM'), firstDay: FROM };

interface FileRun extends SourceSettings, Pick<IngestRun, 'clock' | 'signal'> {
  readonly chain: Chain;
  readonly store: ChainStore;
  /** Without them, the nodes give the blocks. */
  readonly files?: BlockFiles | undefined;
  /** The answers of one node each. */
  readonly answers: readonly NodeAnswer[];
  readonly from: UtcDay;
}

/** Reads days from files with the run that the service uses, in this order, and then publishes those that wait. */
export async function backfillDays(run: FileRun, days: readonly UtcDay[]) {
  const { answers, files, clock = fastClock(), ...settings } = run;
  await using started = await startNodes(answers);
  const upstreams = upstreamsOf(run.chain, started.nodes);
  const once = (given: Pick<IngestRun, 'day' | 'isClosing'>) =>
    ingestChain({
      ...settings,
      ...given,
      upstreams,
      clock,
      stopAt: Number.POSITIVE_INFINITY,
      blocksOf: files && ((source) => fileBlocks(files, source)),
    });
  const reports: IngestReport[] = [];
  for (const day of days) reports.push(await once({ day }));
  return { reports, closing: await once({ isClosing: true }), calls: started.calls() };
}

interface Given extends SourceSettings {
  readonly answers?: readonly NodeAnswer[];
  readonly files?: ReadonlyMap<string, Buffer>;
  readonly isFromNodes?: boolean;
  readonly signal?: AbortSignal;
}

/** Gives the tests of days from files a table and the scene of era files. */
export function useFileRuns() {
  const { store } = useMemoryStore('ETHEREUM');
  const scene = eraScene();
  const honest = answerFrom(scene.blocks);
  return {
    store,
    scene,
    run: (days: readonly UtcDay[], given: Given = {}) => {
      const { answers = [honest, honest], files = scene.files, isFromNodes, ...settings } = given;
      const opened = isFromNodes ? undefined : filesInMemory(files);
      const run = { ...settings, chain: ETHEREUM, store: store(), files: opened, answers, from: FROM };
      return backfillDays(run, days);
    },
    storedDays: () => eraDaysIn(store(), '0000-01-01'),
    daysOfScene: (...days: readonly number[]) => days.map(scene.dayAt),
  };
}
