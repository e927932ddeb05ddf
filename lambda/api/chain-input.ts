import * as z from 'zod/mini';
import { type ChainName, chainNames } from '../../core/chains/chains.ts';
import { oneOfMessage, suggestion } from './other-names.ts';

/* The input `chain`: one name, or several in a list or a text with commas, in any case. */

export const chainSchema = z.enum(chainNames);

const hasNoRepeats: z.core.CheckFn<readonly string[]> = ({ value, issues }) => {
  if (new Set(value).size < value.length) issues.push({ code: 'custom', message: '', input: value });
};

/** A chain, or several. */
export const chainsSchema = z.union([
  chainSchema,
  z.array(chainSchema).check(z.minLength(1), z.maxLength(chainNames.length), hasNoRepeats),
]);

/** Returns a chain, or several of a list or a text with commas, in the case of our names. */
export function chainsIn(given: unknown): unknown {
  const upper = (name: unknown) => (typeof name === 'string' ? name.toUpperCase() : name);
  if (typeof given === 'string' && given.includes(','))
    return given.split(',').map((name) => upper(name.trim()));
  return Array.isArray(given) ? given.map(upper) : upper(given);
}

const isChain = (name: unknown): name is ChainName => chainNames.some((known) => known === name);

/** Says which chains are allowed, and which of several is wrong. */
export function chainMessage(offered: readonly string[], input: unknown): string {
  if (input === undefined) return `is required: one of ${offered.join(', ')}`;
  if (!Array.isArray(input) || input.length === 0) return oneOfMessage(offered, input);
  const wrong = input.find((name) => !isChain(name));
  const repeated = input.find((name, index) => input.indexOf(name) !== index);
  if (wrong === undefined) return `must name each chain once; ${repeated} is repeated`;
  const text = typeof wrong === 'string' ? wrong : '';
  const reason = `${text || 'an empty name'} is not one${suggestion(text, offered)}`;
  return `must be names of ${offered.join(', ')}, separated by commas; ${reason}`;
}
