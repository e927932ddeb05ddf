import { Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { type ChainName, chainNames } from '../lambda/chains/chains.ts';
import { addDays, dayOf, type UtcDay } from '../lambda/chains/utc-day.ts';
import { CommandError, exitCodes } from './exit-codes.ts';

/* The options that several commands have, each with one meaning and one check. */

/** Which service a command works on, and how it tells what it found. */
export interface CommonOptions {
  /** A deployed stage; the service on this machine when undefined. */
  readonly stage?: string;
  readonly json: boolean;
}

/** A command that works on a service. */
export const serviceCommand = (
  name: string,
  description: string,
  withoutStage = ' (default: the service on this machine)',
): Command =>
  new Command(name)
    .description(description)
    .option('--stage <name>', `the deployed stage to work on, with AWS credentials as usual${withoutStage}`)
    .option('--json', 'print one JSON document, for scripts', false);

/** Adds lines to try to a command's help. */
export const withExamples = (command: Command, ...examples: readonly string[]): Command =>
  command.addHelpText(
    'after',
    `\nExamples:\n${examples.map((example) => `  npx chain-insights ${example}`).join('\n')}\n`,
  );

export function readChain(value: string): ChainName {
  const chain = chainNames.find((name) => name === value.toUpperCase());
  if (!chain) throw new InvalidArgumentError(`It is one of ${chainNames.join(', ')}.`);
  return chain;
}

/** Reads a day: `2026-11-20`, or counted back from today in UTC, so that a line can be used again on another day. */
export function readDay(value: string): UtcDay {
  const today = dayOf(Date.now() / 1_000);
  const [, daysAgo] = /^(\d{1,5})-days?-ago$/.exec(value) ?? [];
  if (daysAgo !== undefined) return addDays(today, -Number(daysAgo));
  if (value === 'yesterday') return addDays(today, -1);
  if (z.iso.date().safeParse(value).success) return value;
  throw new InvalidArgumentError('It is a UTC day: YYYY-MM-DD, yesterday, or such as 30-days-ago.');
}

/** Reads a whole number within bounds. */
export const readInteger =
  (min: number, max: number) =>
  (value: string): number => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It is a whole number from ${min} to ${max}.`);
  };

export const chainOption = (): Option =>
  new Option('--chain <name>', `one of ${chainNames.join(', ')}`).argParser(readChain).makeOptionMandatory();

/** The chains to look at, each once. */
export const chainsOption = (description = 'only these chains (default: all of the service)'): Option =>
  new Option('--chain <name...>', description).argParser(
    (value: string, before: readonly ChainName[] = []) => [...new Set([...before, readChain(value)])],
  );

export const dayOption = (flags: string, description: string): Option =>
  new Option(flags, `${description}; such as 2026-11-20, yesterday or 30-days-ago, UTC`).argParser(readDay);

/** @throws CommandError when the first day comes after the last */
export function checkOrder({
  startDate,
  endDate,
}: {
  readonly startDate?: UtcDay;
  readonly endDate?: UtcDay;
}): void {
  if (startDate === undefined || endDate === undefined || startDate <= endDate) return;
  throw new CommandError(`--start-date ${startDate} comes after --end-date ${endDate}.`, exitCodes.usage);
}
