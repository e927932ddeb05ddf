import type { Command } from 'commander';
import { abbreviate } from '../../core/figures/block.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { type Comparison, compareChain } from '../../lambda/public/compare-days.ts';
import { openOther } from '../compare/other-service.ts';
import { formatRange, groupIntoRanges } from '../day-ranges.ts';
import { CommandError, exitCodes, interrupted, orStopped } from '../exit-codes.ts';
import { findService } from '../find-service.ts';
import { type ChainsOptions, chainsOption, serviceCommand } from '../options.ts';
import { formatTable, listed, printResult } from '../print.ts';
import { chainsOf, type ServedChain } from '../service.ts';

interface Options extends ChainsOptions {
  readonly with: string;
}

interface ChainComparison extends Comparison {
  readonly chain: string;
}

export const compareCommand = (): Command =>
  serviceCommand(
    'compare',
    'Compares all final days with those of another service, which must be equal to the last wei. Writes nothing.',
    [
      'compare --with https://metrics.example',
      'compare --stage prod --chain BASE --with https://metrics.example',
    ],
  )
    .requiredOption(
      '--with <url>',
      'base URL of the other service. With its key in CHAIN_INSIGHTS_KEY, its API is read, else its public files',
    )
    .addOption(chainsOption())
    .action(compare);

async function compare(options: Options): Promise<void> {
  const chains = chainsOf(await findService(options), options.chain);
  const work = compareChains(chains, options.with);
  const compared = await orStopped(work, 'Stopped. Run the command again.');
  const absent = chains
    .map(({ name }) => name)
    .filter((name) => !compared.some(({ chain }) => chain === name));
  if (options.chain && absent.length > 0)
    throw new CommandError(`${options.with} has no final days of ${listed(absent)}.`);
  printResult(options, { with: options.with, chains: compared, not_there: absent }, show(compared));
  const unlike = compared.flatMap((one) => otherDays(one));
  if (compared.some(({ differing }) => differing.length > 0)) process.exitCode = exitCodes.checkFailed;
  else if (unlike.length > 0 || compared.every(({ equal }) => equal === 0))
    throw new CommandError(
      unlike.length > 0
        ? 'Some days follow other definitions, so they were not compared. Run the same version in both services, and restate older days.'
        : 'No day was compared, because the services have none in common.',
    );
}

async function compareChains(chains: readonly ServedChain[], url: string): Promise<ChainComparison[]> {
  const read = await ofOther(openOther(url));
  const compared: ChainComparison[] = [];
  for (const { name, chain, store } of chains) {
    interrupted.throwIfAborted();
    const theirs = await ofOther(read(name));
    if (theirs) compared.push({ chain: name, ...(await compareChain(store, chain.firstDay, theirs)) });
  }
  return compared;
}

/** Turns an error of the other service, which has a message for the user, into one of the command. */
const ofOther = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: Error) => {
    throw error instanceof CommandError ? error : new CommandError(error.message);
  });

const otherDays = ({ not_compared }: Comparison, version = 'definition_version'): UtcDay[] =>
  not_compared.filter((one) => one.version === version).map(({ date }) => date);

function show(compared: readonly ChainComparison[]): string {
  const counts = compared.map((one) => [
    one.chain,
    one.equal,
    one.differing.length,
    one.only_here.length,
    one.only_there.length,
    otherDays(one).length,
  ]);
  const parts = compared.flatMap(({ chain, differing }) =>
    differing.flatMap(({ date, parts, evidence }) =>
      Object.entries({ ...parts, evidence }).map(([part, { here, there }]) => [
        chain,
        date,
        part,
        showCell(here),
        showCell(there),
      ]),
    ),
  );
  const lines = compared.flatMap((one) =>
    Object.entries({
      'only here': one.only_here,
      'only there': one.only_there,
      'not compared, as definition_version differs': otherDays(one),
      'compared without measures, as measures_version differs': otherDays(one, 'measures_version'),
      'compared without typical fees, as distribution_version differs': otherDays(
        one,
        'distribution_version',
      ),
    }).flatMap(([title, dates]) =>
      dates.length > 0
        ? [`${one.chain} ${title}: ${groupIntoRanges(dates).map(formatRange).join(', ')}`]
        : [],
    ),
  );
  return [
    formatTable(['chain', 'equal', 'differing', 'only here', 'only there', 'not compared'], counts),
    ...(parts.length > 0 ? [formatTable(['chain', 'date', 'part', 'here', 'there'], parts)] : []),
    ...(lines.length > 0 ? [lines.join('\n')] : []),
  ].join('\n\n');
}

/** Abbreviates hashes. Decimals have every digit. */
const showCell = (cell: string): string => (cell.startsWith('0x') ? abbreviate(cell) : cell || 'none');
