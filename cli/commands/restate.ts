import { type Command, Option } from 'commander';
import { MAX_REASON_LENGTH } from '../../core/figures/day-figures.ts';
import {
  FINAL_BLOCK,
  FINALITY,
  listConflicts,
  settleConflict,
  subjectOf,
} from '../../core/store/chain/conflicts.ts';
import { CommandError, usageError } from '../exit-codes.ts';
import { findService } from '../find-service.ts';
import { chainsOption, dayOption, onlyChain, readInteger, rpcUrlOption, serviceCommand } from '../options.ts';
import { commandLine, printResult } from '../print.ts';
import { restateCheckedDays } from '../restate/many-days.ts';
import { type OneDayOptions, type RestateOptions, restateOneDay } from '../restate/one-day.ts';
import { chainIn } from '../service.ts';

interface Options extends RestateOptions {
  /** A day, or with `settle` also what else a conflict may concern. */
  readonly date?: string;
  readonly reason?: string;
  readonly allChecked?: true;
  readonly settle?: true;
}

/** Subjects of conflicts that are not days. */
const NO_DAYS: readonly string[] = [FINAL_BLOCK, FINALITY];

/** Days of the busiest chain take hours each. */
const DEFAULT_LIMIT = 10;

export const restateCommand = (): Command =>
  serviceCommand(
    'restate',
    'Reads a final day again and replaces its figures. Keeps the old figures with the day, and the reason.',
    [
      'restate --chain ETHEREUM --date 3-days-ago --reason "verify found other figures"',
      'restate --all-checked --chain POLYGON --limit 30',
      'restate --settle --chain BASE --date 3-days-ago --stage prod',
    ],
  )
    .addOption(chainsOption('chain of the day; with --all-checked, only these chains (default: all)'))
    .addOption(dayOption('--date <day>', 'day to restate, or with --settle what status names', NO_DAYS))
    .option(
      '--reason <text>',
      `reason, which everyone with a key can read; up to ${MAX_REASON_LENGTH} characters`,
    )
    .addOption(
      new Option(
        '--all-checked',
        'restate the days whose blocks are not proven, the newest first, and prove them',
      ).conflicts(['date', 'reason']),
    )
    .addOption(
      new Option(
        '--settle',
        'end the open conflict of the day, after verify has shown that it is right as stored; a restatement ends it too',
      ).conflicts(['reason', 'allChecked', 'rpcUrl', 'wait']),
    )
    .option('--limit <n>', 'days to read with --all-checked', readInteger(1, 100_000), DEFAULT_LIMIT)
    .addOption(rpcUrlOption('read only these endpoints, in this order (default: those of the service)'))
    .option('--yes', 'do not ask before figures are replaced', false)
    .option('--no-wait', "request the restatement and exit: the service's next ingest run performs it")
    .action(restate);

async function restate(options: Options): Promise<void> {
  if (options.rpcUrl && !options.wait)
    throw usageError(
      '--no-wait does not accept --rpc-url: the service reads from its own endpoints. Omit one of them.',
    );
  if (options.allChecked) {
    if (options.rpcUrl) onlyChain(options.chain ?? []);
    return restateCheckedDays(await findService(options), options);
  }
  const oneDay = oneDayOf(options);
  return options.settle ? settle(oneDay) : restateOneDay(await findService(options), oneDay);
}

/** @throws CommandError when an option is missing */
function oneDayOf(options: Options): OneDayOptions {
  const { chain: [chain, ...others] = [], date, settle } = options;
  const reason = settle ? 'none' : options.reason;
  if (!chain || others.length > 0 || date === undefined || reason === undefined) {
    throw usageError('Give one --chain, --date and --reason, or choose days with --all-checked.');
  }
  if (!settle && NO_DAYS.includes(date)) throw usageError(`--date ${date} is not a day. Add --settle.`);
  if (reason.trim() === '') throw usageError('--reason is empty. Give the reason for the restatement.');
  if (reason.length > MAX_REASON_LENGTH) {
    throw usageError(
      `--reason has ${reason.length} characters, and ${MAX_REASON_LENGTH} at most are stored with a day. Shorten it.`,
    );
  }
  return { ...options, chain, date, reason };
}

/** Ends an open conflict. @throws CommandError when there is none */
async function settle(options: OneDayOptions): Promise<void> {
  const { chain, date } = options;
  const service = await findService(options);
  const { store } = chainIn(service, chain);
  const conflict = (await listConflicts(store)).find((one) => subjectOf(one) === date);
  if (!conflict) {
    const list = commandLine(service.flags, 'status', '--chain', chain);
    throw new CommandError(`${chain} ${date} has no open conflict. To list them: ${list}`);
  }
  await settleConflict(store, conflict);
  printResult(options, { chain, date }, `Settled the conflict of ${chain} ${date}.`);
}
