import type { Command } from 'commander';
import type { ChainName } from '../../lambda/chains/chains.ts';
import { addDays, startOfDay, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { firstRestatement, type Restatement, requestRestatement } from '../../lambda/store/checkpoints.ts';
import { getDay } from '../../lambda/store/days.ts';
import { upstreamsOf } from '../endpoints.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { type DayWork, ingestDayFully } from '../ingest-day.ts';
import { interrupted } from '../interrupt.ts';
import { type CommonOptions, chainOption, dayOption, serviceCommand, withExamples } from '../options.ts';
import { printResult, say } from '../print.ts';
import { startProgress } from '../progress.ts';
import { checkedUrls, rpcUrlOption } from '../rpc-url.ts';
import { chainIn, openService, type ServedChain, type Service } from '../service.ts';
import { differingParts, partsOfDay } from '../verify/compare.ts';
import { partsTable } from '../verify/parts-table.ts';

interface Options extends CommonOptions {
  readonly chain: ChainName;
  readonly date: UtcDay;
  readonly reason: string;
  readonly rpcUrl?: readonly string[];
  readonly wait: boolean;
}

export const restateCommand = (): Command =>
  withExamples(
    serviceCommand(
      'restate',
      'Reads a final day again and puts what is found in its place. The old figures are kept beside it, with the reason.',
    )
      .addOption(chainOption())
      .addOption(dayOption('--date <day>', 'the day').makeOptionMandatory())
      .requiredOption('--reason <text>', 'why, for whoever finds two revisions of the day')
      .addOption(rpcUrlOption('read these nodes alone, in this order (default: those of the service)'))
      .option('--no-wait', "only ask for it: the service's own ingest does it, soon")
      .action(restate),
    'restate --chain ETHEREUM --date 2026-11-18 --reason "verify found other figures"',
    'restate --stage prod --chain BASE --date 2026-11-18 --reason "a node lied" --no-wait',
  );

async function restate(options: Options): Promise<void> {
  if (options.reason.trim() === '') throw new CommandError('--reason is empty: say why.', exitCodes.usage);
  if (options.rpcUrl) checkedUrls(options.rpcUrl);
  const service = await openService(options);
  const served = chainIn(service, options.chain);
  const { table } = service;
  const before = await getDay(table, served.name, options.date);
  if (!before) {
    throw new CommandError(
      `${served.name} ${options.date} is not final, so there is nothing to restate. To read it: ` +
        `npx chain-insights ingest${service.flags} --chain ${served.name} --start-date ${options.date} --end-date ${options.date}`,
    );
  }
  const { reason } = await askFor(service, served, options);
  const requested = { chain: served.name, date: options.date, reason, state: 'requested' };
  if (!options.wait) {
    printResult(
      options,
      requested,
      `${served.name} ${options.date} will be read again by the next run of the ingest.`,
    );
    return;
  }

  const days = await readAgain(service, served, options);
  const after = (await getDay(table, served.name, options.date)) ?? before;
  const [a, b] = [partsOfDay(before), partsOfDay(after)];
  const changed = differingParts(a, b);
  const text = [
    `${served.name} ${options.date} is restated: ${reason}`,
    partsTable(['before', 'now'], a, b),
    changed.length === 0
      ? 'Its figures are the same as before.'
      : 'The figures of before are kept beside the new ones.',
    ...(days.length > 1
      ? [`It ends with another block now, so these were read again too: ${days.slice(1).join(', ')}`]
      : []),
  ];
  printResult(
    options,
    { ...requested, state: 'restated', days, changed, before: a, after: b },
    text.join('\n\n'),
  );
}

/** @returns the restatement that is under way: this one, or one that was asked for before */
async function askFor(
  { table }: Service,
  { name }: ServedChain,
  { date, reason }: Options,
): Promise<Restatement> {
  const wanted = { reason, requestedAt: new Date().toISOString() };
  if (await requestRestatement(table, name, date, wanted)) return wanted;
  const asked = (await firstRestatement(table, name, date))?.restatement ?? wanted;
  say(`${name} ${date} is being restated already, since ${asked.requestedAt}: ${asked.reason}`);
  return asked;
}

/** @returns the days that were read again: those after the first, because the one before ends with another block now */
async function readAgain(
  service: Service,
  served: ServedChain,
  options: Options,
): Promise<readonly UtcDay[]> {
  const { table } = service;
  const progress = startProgress('blocks');
  let blocks = 0;
  const work: DayWork = {
    ...{ table, served, upstreams: await upstreamsOf(served, options.rpcUrl), signal: interrupted },
    onBlock: (day, { timestamp }) => {
      blocks += 1;
      progress.update((timestamp - startOfDay(day)) / 86_400, blocks, day);
    },
  };
  try {
    const days: UtcDay[] = [];
    for (let day = options.date; days.length === 0 || (await firstRestatement(table, served.name, day)); ) {
      const end = await ingestDayFully(work, day);
      if (end.state !== 'final')
        throw notDone(service, served, day, end.state === 'failed' ? end.reason : undefined);
      days.push(day);
      day = addDays(day, 1);
    }
    return days;
  } finally {
    progress.end();
  }
}

/** @param reason undefined after Ctrl-C */
function notDone(
  { flags }: Service,
  { name }: ServedChain,
  day: UtcDay,
  reason: string | undefined,
): CommandError {
  const goOn =
    'Until it is done, the old figures stand. The next runs of the ingest go on with it, and so does: ' +
    `npx chain-insights restate${flags} --chain ${name} --date ${day} --reason "as before"`;
  return reason === undefined
    ? new CommandError(`Stopped. What was read is saved. ${goOn}`, exitCodes.interrupted)
    : new CommandError(`${name} ${day} could not be read again: ${reason}. ${goOn}`);
}
