import { type Command, Option } from 'commander';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { listFinalDays } from '../../core/store/days/days.ts';
import { findVerifyEndpoints } from '../endpoints.ts';
import { CommandError, exitCodes, interrupted, usageError } from '../exit-codes.ts';
import { findService } from '../find-service.ts';
import {
  type ChainsOptions,
  chainsOption,
  dayOption,
  onlyChain,
  type RpcUrlOptions,
  readInteger,
  rpcUrlOption,
  serviceCommand,
  withRpcUrl,
} from '../options.ts';
import { commandLine, pluralize, printNote, printResult } from '../print.ts';
import { chainsOf, type OperatedService, oncePerChain, type ServedChain } from '../service.ts';
import { documentOf, showDays } from '../verify/report.ts';
import {
  type ChainDay,
  drawDays,
  isEqual,
  isVerified,
  type VerifyResult,
  verifyDays,
} from '../verify/verify-days.ts';

interface Options extends ChainsOptions, RpcUrlOptions {
  readonly date?: UtcDay;
  readonly sample?: number;
  readonly seed: number;
  readonly skip: number;
}

const MAX_SEED = 2 ** 32 - 1;

export const verifyCommand = (): Command =>
  serviceCommand(
    'verify',
    'Recomputes stored days from the blocks of an endpoint and compares the figures. Writes nothing.',
    [
      'verify --chain ETHEREUM --date 3-days-ago',
      'verify --chain BASE --date 3-days-ago --rpc-url https://node.example/my-key',
      'verify --stage prod --sample 20',
    ],
  )
    .addOption(chainsOption())
    .addOption(dayOption('--date <day>', 'the day to verify').conflicts(['sample', 'seed', 'skip']))
    .option('--sample <n>', 'verify this many random final days', readInteger(1, 100_000))
    .addOption(
      new Option('--seed <n>', 'repeat the sample that was drawn with this seed')
        .argParser(readInteger(0, MAX_SEED))
        .default(Math.floor(Math.random() * MAX_SEED), 'random'),
    )
    .option(
      '--skip <n>',
      'days to skip at the start of the sample, for example to continue after Ctrl-C',
      readInteger(0, 100_000),
      0,
    )
    .addOption(
      rpcUrlOption(
        "recompute from the first of these endpoints that provides the day; the service's endpoints then only vote and compare",
      ),
    )
    .action(verify);

async function verify(options: Options): Promise<void> {
  const { rpcUrl = [] } = options;
  const service = await findService(options);
  const chains = chainsOf(service, options.chain);
  if (rpcUrl.length > 0) onlyChain(chains);
  const days = await daysToVerify(chains, options);
  const endpointsOf = oncePerChain((served) => findVerifyEndpoints(served, rpcUrl));
  const outcomes = await verifyDays({ flags: service.flags, endpointsOf, signal: interrupted }, days);
  conclude(service, options, days, outcomes);
}

async function daysToVerify(chains: readonly ServedChain[], { date: day, sample, seed, skip }: Options) {
  if (day !== undefined) return chains.map((served) => ({ served, day }));
  if (sample === undefined) {
    throw usageError('Choose a day with --date, or random days with --sample.');
  }
  const final = await Promise.all(
    chains.map(async (served) => {
      const days = await listFinalDays(served.store, served.chain.firstDay);
      return days.map((day) => ({ chain: served.name, day, served }));
    }),
  );
  const all = final.flat();
  if (all.length === 0) throw new CommandError('No day is final yet, so there is nothing to verify.');
  const drawn = drawDays(all, seed, sample);
  if (skip >= drawn.length)
    throw usageError(
      `--skip ${skip} leaves none of the ${pluralize(drawn.length, 'sampled day')}. Skip fewer, or increase --sample.`,
    );
  printNote(`Sampled with --seed ${seed} from ${pluralize(all.length, 'final day')}.`);
  return drawn.slice(skip);
}

/** Prints the results or, after Ctrl-C, also the command that continues. */
function conclude(
  { flags }: OperatedService,
  options: Options,
  days: readonly ChainDay[],
  outcomes: readonly VerifyResult[],
): void {
  const seed = options.sample === undefined ? {} : { seed: options.seed };
  const isAnyVerified = outcomes.some(isVerified);
  if (isAnyVerified || options.json) {
    // A restatement must use the override too: the service's own endpoints provided the stored figures.
    const restateFlags = withRpcUrl(flags, options.rpcUrl);
    printResult(options, { ...seed, days: outcomes.map(documentOf) }, showDays(outcomes, restateFlags));
  }
  // Otherwise the printed result contains the reasons.
  if (!isAnyVerified) for (const outcome of outcomes) if (!isVerified(outcome)) printNote(outcome.reason);
  if (outcomes.length < days.length) {
    const { chain, date, sample, skip, rpcUrl } = options;
    const rest = sample && { sample, ...seed, skip: skip + outcomes.length };
    const again = withRpcUrl(commandLine(flags, 'verify', { chain, date, ...rest }), rpcUrl);
    const done = `Stopped after ${outcomes.length} of ${pluralize(days.length, 'day')}.`;
    throw new CommandError(`${done} To continue: ${again}`, exitCodes.interrupted);
  }
  if (outcomes.some((outcome) => isVerified(outcome) && !isEqual(outcome)))
    process.exitCode = exitCodes.checkFailed;
  else if (!outcomes.every(isVerified)) process.exitCode = exitCodes.failed;
}
