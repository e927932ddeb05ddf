import { type Command, InvalidArgumentError, Option } from 'commander';
import { ERA_URL } from '../../core/blocks/files/choose-source.ts';
import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { createBackfills } from '../backfill/executions.ts';
import { backfillLocally } from '../backfill/local.ts';
import { backfillRange } from '../backfill/plan.ts';
import { startLine } from '../backfill/plan-files.ts';
import { backfillFromFiles, type StartOptions, startBackfill } from '../backfill/start.ts';
import { showBackfills } from '../backfill/status.ts';
import { type DeployedService, findDeployedService } from '../deployed-service.ts';
import { CommandError, usageError } from '../exit-codes.ts';
import { refuseOldTables } from '../find-service.ts';
import {
  type ChainsOptions,
  type CommonOptions,
  chainOption,
  chainsOption,
  createCommand,
  dayOption,
  readInteger,
  serviceCommand,
} from '../options.ts';
import { commandLine, printResult } from '../print.ts';

export const backfillCommand = (): Command =>
  createCommand(
    'backfill',
    'Ingests many days in parallel, with the ingest function of a deployed stage. Or reads block files on this machine, with --local.',
    [
      'backfill start --stage prod --chain ETHEREUM --start-date 30-days-ago --end-date yesterday',
      'backfill status --stage prod',
      'backfill stop --stage prod --chain ETHEREUM',
    ],
  )
    .addCommand(startCommand())
    .addCommand(statusCommand())
    .addCommand(stopCommand());

const startCommand = (): Command =>
  serviceCommand(
    'start',
    'Ingests the missing days of a range. Shows the number of blocks, calls and hours that this takes, and asks for confirmation first.',
    [
      'backfill start --stage prod --chain BASE --start-date 30-days-ago --end-date yesterday',
      'backfill start --stage prod --chain BASE --start-date 365-days-ago --price-per-million-calls 0.5',
      'backfill start --chain ETHEREUM --from files --url ./era-files --local --concurrency 4',
      'backfill start --chain BSC --from files --url ./ancient/chain --local',
    ],
    ' (required without --local)',
  )
    .addOption(chainOption())
    .addOption(dayOption('--start-date <day>', 'first day (default with --from files: that of the files)'))
    .addOption(dayOption('--end-date <day>', 'last day (default: the last finalized day)'))
    .addOption(
      new Option('--from <source>', 'where the blocks come from')
        .choices(['nodes', 'files'])
        .default('nodes'),
    )
    .option(
      '--url <url>',
      'with --from files: an https:// mirror or an s3:// prefix of era files; with --local also a folder of them, or ancient/chain of a node',
    )
    .option('--local', 'with --from files: read them on this machine', false)
    .option('--concurrency <number>', 'with --local: days to read at once', readInteger(1, 256), 2)
    .option(
      '--price-per-hour <price>',
      'price of one hour of the ingest function, to show the cost (see docs/operate/cost.md)',
      readPrice,
    )
    .option(
      '--price-per-million-calls <price>',
      'price of a million JSON-RPC calls at your provider, to show the cost',
      readPrice,
    )
    .option('--yes', 'start without confirmation', false)
    .action(start);

function readPrice(value: string): number {
  const price = Number(value);
  if (/^\d+(\.\d+)?$/.test(value) && Number.isFinite(price)) return price;
  throw new InvalidArgumentError('Expected a price such as 0.083, without a currency.');
}

const statusCommand = (): Command =>
  serviceCommand(
    'status',
    'Shows the progress of backfills, and why days failed.',
    ['backfill status --stage prod', 'backfill status --stage prod --chain BASE --json'],
    ' (required)',
  )
    .addOption(chainsOption())
    .action(showStatus);

async function showStatus(options: ChainsOptions): Promise<void> {
  const local = `\nTo see the days of the service on this machine:\n  ${commandLine('', 'status')}`;
  return showBackfills(await findStage(options, local), options);
}

const stopCommand = (): Command =>
  serviceCommand(
    'stop',
    'Stops the backfill of a chain. Days that are final stay final.',
    ['backfill stop --stage prod --chain BASE'],
    ' (required)',
  )
    .addOption(chainOption())
    .action(stop);

/** @throws CommandError without a stage, with a command to use instead if there is one */
async function findStage({ stage }: CommonOptions, alternative = ''): Promise<DeployedService> {
  if (stage !== undefined) return refuseOldTables(await findDeployedService(stage));
  throw usageError(`Backfills run on a deployed stage. Name it with --stage.${alternative}`);
}

interface AllStartOptions extends StartOptions {
  readonly from: 'nodes' | 'files';
  readonly url?: string;
  readonly local: boolean;
  readonly concurrency: number;
}

async function start(options: AllStartOptions): Promise<void> {
  const { chain, from, url, startDate, endDate } = options;
  if (from === 'nodes') {
    const { first, last } = backfillRange(chainOf(chain), options);
    const ingest = commandLine('', 'ingest', { chain, startDate: first, endDate: last });
    const alternative = `\nTo ingest the same days on this machine:\n  ${ingest}`;
    return startBackfill(await findStage(options, alternative), options);
  }
  if (url === undefined) throw usageError('Name the place of the files with --url.');
  if (url.includes('://') && !ERA_URL.test(url))
    throw usageError(
      '--url: expected a folder, or a URL such as https://mirror.example/era1/ without user, password and query.',
    );
  if (options.local) return backfillLocally({ ...options, url });
  const local = startLine('', chain, { url, startDate, endDate }, { local: true });
  const alternative = `\nTo read the same files on this machine:\n  ${local}`;
  await backfillFromFiles(await findStage(options, alternative), { ...options, url });
}

async function stop({ chain, ...options }: CommonOptions & { readonly chain: ChainName }): Promise<void> {
  const service = await findStage(options);
  const backfills = createBackfills(service);
  const running = await backfills.running(chain);
  if (running.length === 0) {
    const status = commandLine(service.flags, 'backfill', 'status');
    throw new CommandError(`No backfill of ${chain} is running. To see past ones:\n  ${status}`);
  }
  await Promise.all(running.map(backfills.stop));
  const dates = running.flatMap(({ input }) => input.dates).toSorted();
  const url = running.find(({ input }) => input.url !== undefined)?.input.url;
  const again = startLine(service.flags, chain, { url, startDate: dates[0], endDate: dates.at(-1) });
  const text = [
    `Stopped ${running.map(({ name }) => name).join(', ')}. Final days stay final.`,
    'Days in progress save a checkpoint when their current run ends, within five minutes.',
    `To continue:\n  ${again}`,
  ];
  printResult(options, { chain, stopped: running.map(({ name }) => name) }, text.join('\n'));
}
