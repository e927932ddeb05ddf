import type { ChainName } from '../lambda/chains/chains.ts';
import { AskError } from './ask.ts';
import { byId, element } from './dom.ts';
import { nameOf } from './words.ts';

/** A chain for which there was no answer, and what was thrown instead. */
export interface Refusal {
  readonly chain: ChainName;
  readonly reason: unknown;
}

const place = byId('problem', HTMLElement);

/** Tells what went wrong, in place of what did before. */
export function tell(...problems: readonly (Node | string)[]): void {
  place.replaceChildren(...problems);
}

/** Brings it into sight: on a phone it is far below the button. */
export function revealProblem(): void {
  if (place.hasChildNodes()) place.scrollIntoView({ block: 'nearest' });
}

/**
 * Tells of refusals, once where the same is to be said of several chains.
 * @param areNamed whether the chains are, since others were answered
 * @param isOldShown whether something of before is still shown
 */
export function tellRefusals(refusals: readonly Refusal[], areNamed: boolean, isOldShown: boolean): void {
  const byMessage = Map.groupBy(refusals, ({ reason }) =>
    reason instanceof Error ? reason.message : String(reason),
  );
  const old = element('p', {}, 'What is shown below is the last that was answered.');
  tell(
    ...Array.from(byMessage, ([message, same]) => {
      const names = same.map(({ chain }) => nameOf(chain)).join(', ');
      const fields = same[0]?.reason instanceof AskError ? same[0].reason.fields : [];
      const list = element('ul', {}, ...fields.map((field) => element('li', {}, field)));
      return element('div', {}, element('p', {}, areNamed ? `${names}: ${message}` : message), list);
    }),
    ...(isOldShown ? [old] : []),
  );
}
