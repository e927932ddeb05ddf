import type { ChainName } from '../lambda/chains/chains.ts';
import { ApiError } from './api-client.ts';
import { byId, element } from './dom.ts';
import { chainLabel } from './labels.ts';

export interface FailedChain {
  readonly chain: ChainName;
  readonly reason: unknown;
}

const panel = byId('problem', HTMLElement);

export function showErrors(...errors: readonly (Node | string)[]): void {
  panel.replaceChildren(...errors);
}

/** Scrolls errors into view: on a phone they are far below the button. */
export function scrollToErrors(): void {
  if (panel.hasChildNodes()) panel.scrollIntoView({ block: 'nearest' });
}

/**
 * Shows failures, and chains that failed with the same message together.
 * @param withNames whether to name the chains, because others succeeded
 * @param isOutdated whether the charts still show an earlier request
 */
export function showFailures(failed: readonly FailedChain[], withNames: boolean, isOutdated: boolean): void {
  const byMessage = Map.groupBy(failed, ({ reason }) =>
    reason instanceof Error ? reason.message : String(reason),
  );
  const outdated = element('p', {}, 'The charts below still show the previous request.');
  showErrors(
    ...Array.from(byMessage, ([message, same]) => {
      const names = same.map(({ chain }) => chainLabel(chain)).join(', ');
      const fields = same[0]?.reason instanceof ApiError ? same[0].reason.fields : [];
      const list = element('ul', {}, ...fields.map((field) => element('li', {}, field)));
      return element('div', {}, element('p', {}, withNames ? `${names}: ${message}` : message), list);
    }),
    ...(isOutdated ? [outdated] : []),
  );
}
