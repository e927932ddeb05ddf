import { type Command, Option } from 'commander';
import type { ChainName } from '../../lambda/chains/chains.ts';
import type { UtcDay } from '../../lambda/chains/utc-day.ts';
import { listFinalDays } from '../../lambda/store/days.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { interrupted } from '../interrupt.ts';
import { openService } from '../open-service.ts';
import {
  type CommonOptions,
  chainsOption,
  dayOption,
  readInteger,
  rpcUrlOption,
  serviceCommand,
  validateRpcUrls,
  withExamples,
} from '../options.ts';
import { commandLine, pluralize, printNote, printResult } from '../print.ts';
import { chainsOf, type OperatedService, type ServedChain } from '../service.ts';
import { documentOf } from '../verify/document.ts';
import { type Endpoints, endpointsToAsk } from '../verify/endpoints.ts';
import { drawDays, withoutFirst } from '../verify/sample.ts';
import { showDays } from '../verify/show.ts';
import { isEqual } from '../verify/verify-day.ts';
import { type DayOfChain, isVerified, type Outcome, verifyDays } from '../verify/verify-days.ts';

interface Options extends CommonOptions {
  readonly chain?: readonly ChainName[];
  readonly date?: UtcDay;
  readonly rpcUrl?: readonly string[];
  readonly sample?: number;
  readonly seed: number;
  readonly skip: number;
}

const LARGEST_SEED = 2 ** 32 - 1;

export const verifyCommand = (): Command =>
  withExamples(
    serviceCommand(
      'verify',
      'Adds stored days up again from the blocks of a node, by nothing that is stored, and shows both. Nothing is written.',
    )
      .addOption(chainsOption())
      .addOption(dayOption('--date <day>', 'the day to verify').conflicts(['sample', 'seed', 'skip']))
      .addOption(
        new Option('--sample <n>', 'verify so many random days of all that are final').argParser(
          readInteger(1, 100_000),
        ),
      )
      .addOption(
        new Option('--seed <n>', 'draw the same days again')
          .argParser(readInteger(0, LARGEST_SEED))
          .default(Math.floor(Math.random() * LARGEST_SEED), 'another one each time'),
      )
      .addOption(
        new Option('--skip <n>', 'leave out the first of the days that are drawn: they were verified before')
          .argParser(readInteger(0, 100_000))
          .default(0),
      )
      .addOption(
        rpcUrlOption(
          'read from these nodes, the first that has the day; those of the service then only serve to compare',
        ),
      )
      .action(verify),
    'verify --chain ETHEREUM --date 2026-11-18',
    'verify --chain BASE --date 2026-11-18 --rpc-url https://node.example/my-key',
    'verify --stage prod --sample 20',
  );

async function verify(options: Options): Promise<void> {
  const rpcUrls = validateRpcUrls(options.rpcUrl ?? []);
  const service = await openService(options);
  const chains = chainsOf(service, options.chain);
  if (rpcUrls.length > 0 && chains.length !== 1) {
    throw new CommandError('--rpc-url names nodes of one chain: say which with --chain.', exitCodes.usage);
  }
  const days = await daysToVerify(service, chains, options);
  const outcomes = await verifyDays(
    { flags: service.flags, endpointsOf: opened(rpcUrls), signal: interrupted },
    days,
  );
  conclude(service, options, days, outcomes);
}

/** Endpoints are opened once a chain, so that what is learned of them is kept from day to day. */
function opened(rpcUrls: readonly string[]): (served: ServedChain) => Promise<Endpoints> {
  const known = new Map<ServedChain, Promise<Endpoints>>();
  return (served) => {
    const endpoints = known.get(served) ?? endpointsToAsk(served, rpcUrls);
    known.set(served, endpoints);
    return endpoints;
  };
}

async function daysToVerify(
  service: OperatedService,
  chains: readonly ServedChain[],
  { date: day, sample, seed, skip }: Options,
): Promise<readonly DayOfChain[]> {
  if (day !== undefined) return chains.map((served) => ({ served, day }));
  if (sample === undefined) {
    throw new CommandError(
      'Say which day with --date, or how many random ones with --sample.',
      exitCodes.usage,
    );
  }
  const final = await Promise.all(
    chains.map(async (served) => {
      const days = await listFinalDays(served.store, served.chain.firstDay);
      return days.map((day) => ({ chain: served.name, day, served }));
    }),
  );
  const all = final.flat();
  if (all.length === 0) throw new CommandError('No day is final yet, so there is nothing to verify.');
  const days = withoutFirst(drawDays(all, seed, sample), skip);
  printNote(`Drawn with --seed ${seed} from ${pluralize(all.length, 'final day')}.`);
  return days;
}

/** Prints what was found, and how to go on where Ctrl-C came in between. */
function conclude(
  { flags }: OperatedService,
  options: Options,
  days: readonly DayOfChain[],
  outcomes: readonly Outcome[],
): void {
  const seed = options.sample === undefined ? {} : { seed: options.seed };
  const isAnyVerified = outcomes.some(isVerified);
  if (isAnyVerified || options.json) {
    // The service's own nodes gave what is stored: whoever named another would have a wrong day read from that one.
    const restateFlags = options.rpcUrl ? `${flags} --rpc-url …` : flags;
    printResult(options, { ...seed, days: outcomes.map(documentOf) }, showDays(outcomes, restateFlags));
  }
  // Else the reasons stand among what is printed.
  if (!isAnyVerified) for (const outcome of outcomes) if (!isVerified(outcome)) printNote(outcome.reason);
  if (outcomes.length < days.length) {
    const done = `Stopped after ${outcomes.length} of ${pluralize(days.length, 'day')}; nothing was written.`;
    throw new CommandError(
      `${done} To go on: ${lineToGoOn(options, flags, outcomes.length)}`,
      exitCodes.interrupted,
    );
  }
  process.exitCode = exitCodeOf(outcomes);
}

/** A URL may hold a secret, so that it is not repeated. */
function lineToGoOn(
  { chain, date, sample, seed, skip, rpcUrl }: Options,
  flags: string,
  done: number,
): string {
  const line = commandLine(
    flags,
    'verify',
    ...(chain ? ['--chain', ...chain] : []),
    ...(date ? ['--date', date] : []),
    ...(sample ? ['--sample', String(sample), '--seed', String(seed), '--skip', String(skip + done)] : []),
  );
  return rpcUrl ? `${line} --rpc-url …` : line;
}

function exitCodeOf(outcomes: readonly Outcome[]): number {
  if (outcomes.some((outcome) => isVerified(outcome) && !isEqual(outcome))) return exitCodes.checkFailed;
  return outcomes.every(isVerified) ? exitCodes.done : exitCodes.failed;
}
