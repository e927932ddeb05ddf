import { type Command, Option } from 'commander';
import type { ChainName } from '../../core/chains/chains.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { MAX_REASON_LENGTH } from '../../core/figures/day-figures.ts';
import { usageError } from '../exit-codes.ts';
import { findService } from '../find-service.ts';
import {
  type CommonOptions,
  chainsOption,
  dayOption,
  onlyChain,
  readInteger,
  rpcUrlOption,
  serviceCommand,
  validateRpcUrls,
  withExamples,
} from '../options.ts';
import { restateCheckedDays } from '../restate/many-days.ts';
import { type OneDayOptions, restateOneDay } from '../restate/one-day.ts';

interface Options extends CommonOptions {
  readonly chain?: readonly ChainName[];
  readonly date?: UtcDay;
  readonly reason?: string;
  readonly allChecked?: true;
  readonly limit: number;
  readonly rpcUrl?: readonly string[];
  readonly wait: boolean;
  readonly yes: boolean;
}

/** Days of the busiest chain take hours each. */
const DEFAULT_LIMIT = 10;

export const restateCommand = (): Command =>
  withExamples(
    serviceCommand(
      'restate',
      'Reads a final day again and replaces its figures. Keeps the old figures with the day, and the reason.',
    )
      .addOption(chainsOption('chain of the day; with --all-checked, only these chains (default: all)'))
      .addOption(dayOption('--date <day>', 'day to restate'))
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
        new Option('--limit <n>', 'days to read with --all-checked')
          .argParser(readInteger(1, 100_000))
          .default(DEFAULT_LIMIT),
      )
      .addOption(rpcUrlOption('read only these endpoints, in this order (default: those of the service)'))
      .option('--yes', 'do not ask before figures are replaced', false)
      .option('--no-wait', "request the restatement and exit: the service's next ingest run performs it")
      .action(restate),
    'restate --chain ETHEREUM --date 3-days-ago --reason "verify found other figures"',
    'restate --stage prod --chain BASE --date 3-days-ago --reason "endpoint served wrong receipts" --no-wait',
    'restate --all-checked --chain POLYGON --limit 30',
  );

async function restate(options: Options): Promise<void> {
  checkEndpoints(options);
  if (options.allChecked) {
    if (options.rpcUrl) onlyChain(options.chain ?? []);
    return restateCheckedDays(await findService(options), options);
  }
  const oneDay = oneDayOf(options);
  return restateOneDay(await findService(options), oneDay);
}

function checkEndpoints({ rpcUrl, wait }: Options): void {
  if (!rpcUrl) return;
  validateRpcUrls(rpcUrl);
  if (wait) return;
  throw usageError(
    '--no-wait does not accept --rpc-url: the service reads from its own endpoints. Omit one of them.',
  );
}

/** @throws CommandError when an option is missing */
function oneDayOf(options: Options): OneDayOptions {
  const { chain: [chain, ...others] = [], date, reason } = options;
  if (!chain || others.length > 0 || date === undefined || reason === undefined) {
    const missing = [
      ...(chain && others.length === 0 ? [] : ['one --chain']),
      ...(date === undefined ? ['--date'] : []),
      ...(reason === undefined ? ['--reason'] : []),
    ];
    throw usageError(`Give ${new Intl.ListFormat('en').format(missing)}, or choose days with --all-checked.`);
  }
  if (reason.trim() === '') throw usageError('--reason is empty. Give the reason for the restatement.');
  if (reason.length > MAX_REASON_LENGTH) {
    throw usageError(
      `--reason has ${reason.length} characters, and ${MAX_REASON_LENGTH} at most are stored with a day. Shorten it.`,
    );
  }
  return { ...options, chain, date, reason };
}
