import type { Command } from 'commander';
import type { ChainName } from '../../core/chains/chains.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { dataAgeSeconds } from '../../core/ingest/freshness.ts';
import { FINAL_BLOCK, FINALITY, listConflicts, subjectOf } from '../../core/store/chain/conflicts.ts';
import { getCoverage } from '../../core/store/chain/coverage.ts';
import { getFinality } from '../../core/store/chain/finality-state.ts';
import { getLag } from '../../core/store/chain/lag.ts';
import { getDay } from '../../core/store/days/days.ts';
import { exitCodes } from '../exit-codes.ts';
import { findService } from '../find-service.ts';
import { type CommonOptions, chainsOption, serviceCommand, withExamples } from '../options.ts';
import { commandLine, formatDuration, formatTable, formatTime, printResult } from '../print.ts';
import { chainsOf, type ServedChain } from '../service.ts';

interface Options extends CommonOptions {
  readonly chain?: readonly ChainName[];
}

type ChainStatus = Awaited<ReturnType<typeof readStatus>>;

export const statusCommand = (): Command =>
  withExamples(
    serviceCommand(
      'status',
      'Shows how old the data of each chain is, why its last run failed, and which conflicts nobody has settled.',
    )
      .addOption(chainsOption())
      .action(status),
    'status',
    'status --stage prod',
  );

async function status(options: Options): Promise<void> {
  const service = await findService(options);
  const chains = await Promise.all(chainsOf(service, options.chain).map(readStatus));
  printResult(options, chains, showStatus(chains, service.flags));
  if (chains.some(({ conflicts }) => conflicts.length > 0)) process.exitCode = exitCodes.checkFailed;
}

async function readStatus({ name, store, gap }: ServedChain) {
  const reads = [getCoverage(store), getLag(store), listConflicts(store), dataAgeSeconds(store)] as const;
  const [coverage, lag, conflicts, dataAge] = await Promise.all(reads);
  const { checkpoint, state } = await getFinality(store);
  const isDisputed = conflicts.some((conflict) => subjectOf(conflict) === FINAL_BLOCK);
  return {
    chain: name,
    last_final_day: coverage?.last,
    // Seconds since that day ended.
    data_age_seconds: dataAge,
    // Seconds from the newest counted block to the finalized one, when the last run ended. Unknown while that one is disputed.
    seconds_behind: isDisputed ? undefined : lag?.seconds,
    last_run_at: lag && new Date(lag.seenAt).toISOString(),
    // The reason why the last run failed.
    problem: lag?.problem,
    // The day that npm start leaves out on purpose, until someone ingests it.
    gap: gap !== undefined && !(await getDay(store, gap)) ? gap : undefined,
    // The newest block that the chain itself proves to be final, and the checkpoint where its proofs began.
    proven_block: state?.block,
    checkpoint,
    conflicts: conflicts.map((conflict) => ({
      date: subjectOf(conflict),
      since: new Date(conflict.since).toISOString(),
      reason: conflict.reason,
    })),
  };
}

/** Shows the table last, so that it stays on the screen. */
function showStatus(chains: readonly ChainStatus[], flags: string): string {
  const lines = chains.flatMap(({ chain, problem, conflicts, gap }) => [
    ...(gap === undefined ? [] : [describeGap(chain, gap, flags)]),
    ...(problem === undefined ? [] : [`${chain}: the last run failed. ${problem}\n`]),
    ...conflicts.map(({ date, since, reason }) => {
      const settle = commandLine(flags, 'settle', '--chain', chain, '--date', date);
      const end = date === FINALITY ? 'It ends with the next proof.' : `Once it is settled: ${settle}`;
      return `${chain} ${date}, since ${formatTime(since)} UTC: ${reason}\n${end}\n`;
    }),
  ]);
  const rows = chains.map(
    ({ chain, last_final_day, data_age_seconds, seconds_behind, last_run_at, proven_block, conflicts }) => [
      chain,
      last_final_day ?? 'none',
      data_age_seconds === undefined ? '' : formatDuration(data_age_seconds),
      seconds_behind === undefined ? '' : formatDuration(seconds_behind),
      last_run_at === undefined ? '' : formatTime(last_run_at),
      proven_block?.number ?? '',
      conflicts.length,
    ],
  );
  const head = [
    'chain',
    'last final day',
    'ended ago',
    'behind',
    'last run (UTC)',
    'proven block',
    'conflicts',
  ];
  return [...lines, formatTable(head, rows)].join('\n');
}

function describeGap(chain: ChainName, day: UtcDay, flags: string): string {
  const range = ['--start-date', day, '--end-date', day];
  const ingest = commandLine(flags, 'ingest', '--chain', chain, ...range);
  return `${chain} ${day} is missing on purpose, to show a gap. To ingest it: ${ingest}\n`;
}
