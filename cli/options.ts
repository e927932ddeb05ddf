import { Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { type ChainName, chainNames } from '../core/chains/chains.ts';
import { addDays, dayOf, resolveRelativeDay, type UtcDay } from '../core/figures/calendar.ts';
import { HOST_PATTERN } from '../core/figures/day-figures.ts';
import { optionProblem, splitUrls } from '../core/rpc/endpoint.ts';
import { suggestion } from '../lambda/api/other-names.ts';
import { usageError } from './exit-codes.ts';
import { wrapCommand } from './wrap.ts';

/* Options that several commands share, with their validation. */

export interface CommonOptions {
  /** A deployed stage; undefined selects the service on this machine. */
  readonly stage?: string;
  readonly json: boolean;
}

export interface ChainsOptions extends CommonOptions {
  readonly chain?: readonly ChainName[];
}

export interface RpcUrlOptions {
  readonly rpcUrl?: readonly string[];
}

/** Days, both included. */
export interface DayOptions {
  readonly startDate?: UtcDay | undefined;
  readonly endDate?: UtcDay | undefined;
}

/** Creates a command whose help has examples, and a link to its section, which its subcommands share. */
export const createCommand = (name: string, description: string, examples: readonly string[]): Command =>
  new Command(name)
    .description(description)
    .hook('preAction', (_, command) => checkOptions(command))
    .addHelpText('after', ({ command }) => {
      const lines = examples.map((example) => wrapCommand(`npx --no chain-insights ${example}`));
      const section = command.parent?.parent ? command.parent : command;
      return `\nExamples:\n${lines.join('\n')}\n\nMore: docs/operate/operations.md#${section.name()}\n`;
    });

/** Checks the range of days, and the URLs, which the parser must not: its errors repeat a value. @throws CommandError */
function checkOptions(command: Command): void {
  const { startDate, endDate, rpcUrl }: DayOptions & RpcUrlOptions = command.opts();
  if (startDate !== undefined && endDate !== undefined && startDate > endDate)
    throw usageError(`--start-date ${startDate} is after --end-date ${endDate}.`);
  if (rpcUrl) command.setOptionValue('rpcUrl', validateRpcUrls(rpcUrl));
}

export const serviceCommand = (
  name: string,
  description: string,
  examples: readonly string[],
  withoutStage = ' (default: the service on this machine)',
): Command =>
  createCommand(name, description, examples)
    .option('--stage <name>', `deployed stage to use, with your AWS credentials${withoutStage}`)
    .option('--json', 'print one JSON document, for scripts', false);

export function readChain(value: string): ChainName {
  const chain = chainNames.find((name) => name === value.toUpperCase());
  const expected = `Expected one of ${chainNames.join(', ')}`;
  if (!chain) throw new InvalidArgumentError(`${expected}${suggestion(value, chainNames) || '.'}`);
  return chain;
}

/** Reads a UTC day: a date, or one relative to today, so that the same command line works on another day. */
export function parseDay(value: string): UtcDay {
  const relative = resolveRelativeDay(value.toLowerCase(), addDays(dayOf(Date.now() / 1_000), -1));
  if (relative !== undefined) return relative;
  if (z.iso.date().safeParse(value).success) return value;
  throw new InvalidArgumentError('Expected a UTC day: YYYY-MM-DD, yesterday, or 30-days-ago.');
}

export const readInteger =
  (min: number, max: number) =>
  (value: string): number => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  };

export const chainOption = (): Option =>
  new Option('--chain <name>', `one of ${chainNames.join(', ')}`).argParser(readChain).makeOptionMandatory();

/** Creates an option that takes several chains and drops duplicates. */
export const chainsOption = (description = 'only these chains (default: all of the service)'): Option =>
  new Option('--chain <name...>', description).argParser(
    (value: string, before: readonly ChainName[] = []) => [...new Set([...before, readChain(value)])],
  );

/** @param others words that are accepted beside days */
export const dayOption = (flags: string, description: string, others: readonly string[] = []): Option =>
  new Option(flags, `${description}; UTC, such as 2026-11-20, yesterday or 30-days-ago`).argParser(
    (value: string, before: UtcDay | undefined) => {
      if (before !== undefined) throw new InvalidArgumentError('It is given twice. Give it once.');
      return others.includes(value) ? value : parseDay(value);
    },
  );

export const rpcUrlOption = (description: string): Option => new Option('--rpc-url <url...>', description);

/** Returns the only chain of a command with `--rpc-url`. @throws CommandError when there are more, or none */
export function onlyChain<T>([only, ...others]: readonly T[]): T {
  if (only && others.length === 0) return only;
  throw usageError('--rpc-url applies to one chain. Name it with --chain.');
}

/** Adds the override to a command line, without the URLs, which may hold secrets. */
export const withRpcUrl = (line: string, urls: readonly string[] | undefined): string =>
  urls ? `${line} --rpc-url …` : line;

/** Returns the URLs of `--rpc-url`. @throws CommandError with the position of the first invalid one, never its text */
export function validateRpcUrls(values: readonly string[]): readonly string[] {
  const urls = values.flatMap(splitUrls);
  if (urls.length === 0) throw usageError('--rpc-url is empty. Give a URL, or omit it.');
  for (const [index, entry] of urls.entries()) {
    const url = URL.parse(entry);
    const isHttp = url && /^https?:$/.test(url.protocol) && HOST_PATTERN.test(url.host);
    const problem = isHttp
      ? optionProblem(url)
      : 'is not an http or https URL. Expected one such as https://node.example/key';
    if (problem) throw usageError(`--rpc-url: value ${index + 1} of ${urls.length} ${problem}.`);
  }
  return urls;
}
