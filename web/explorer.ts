import type { ChainName } from '../lambda/chains/chains.ts';
import { dayOf } from '../lambda/chains/utc-day.ts';
import { type Answer, ask, pathOf } from './ask.ts';
import { fillControls, readChoices, readDays, showView } from './controls.ts';
import { showCurl, wireCopy } from './curl.ts';
import { byId } from './dom.ts';
import { keepKey, keptKey, problemOfKey } from './key.ts';
import { revealProblem, tell, tellRefusals } from './problems.ts';
import { isShown, redraw, reveal, show, showAsking, style, wireTools } from './show.ts';
import { daysOf, queryOf, type View, viewOf } from './view.ts';

/* The explorer: takes what a person chooses, asks the API for it, and has the answers shown. */

const form = byId('query', HTMLFormElement);
const keyField = byId('key', HTMLInputElement);
const keep = byId('keep', HTMLInputElement);

const root = new URL('.', location.href).href;
const today = () => dayOf(Date.now() / 1000);

let view = viewOf(location.search, today());
/** The key of the last draw; without one, nothing is asked. */
let key: string | undefined;
let asking = new AbortController();
/** What was answered since the last draw, so that a change asks only for what is new. */
const known = new Map<string, Answer>();

async function answerFor(chain: ChainName, asked: View, signal: AbortSignal): Promise<Answer> {
  const path = pathOf(chain, asked);
  const answer = known.get(path) ?? (await ask(root, chain, asked, key ?? '', signal));
  known.set(path, answer);
  return answer;
}

/** Ends what is being asked for. */
function stop(): void {
  asking.abort();
  asking = new AbortController();
  showAsking(false);
}

/** Asks for a view and draws it, unless that is ended. */
async function draw(asked: View): Promise<void> {
  const { signal } = asking;
  const { chains } = asked;
  if (chains.length === 0) return tell('Pick at least one chain.');
  showAsking(true);
  const results = await Promise.allSettled(chains.map((chain) => answerFor(chain, asked, signal)));
  if (signal.aborted) return;
  showAsking(false);
  const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const refusals = results.flatMap((result, index) => {
    const chain = chains[index];
    return chain && result.status === 'rejected' ? [{ chain, reason: result.reason }] : [];
  });
  const isAnswered = answers.length > 0;
  tellRefusals(refusals, isAnswered, !isAnswered && isShown());
  const { isLog, hasAverage } = view;
  const drawn = answers.map(({ chain }) => chain);
  if (isAnswered) show({ view: { ...asked, isLog, hasAverage, chains: drawn }, answers });
}

/** A view is in the page's address too. */
function setView(chosen: View): void {
  view = chosen;
  history.replaceState(null, '', `?${queryOf(view)}`);
}

/** Takes what is chosen into the address and the curl lines, and draws it when a key has been given. */
async function choose(): Promise<void> {
  stop();
  const days = readDays(today());
  if (typeof days === 'string') return tell(days);
  setView({ ...readChoices(), ...days });
  showView(view, today());
  showCurl(root, view);
  tell();
  if (key) await draw(view);
}

/** Draws what is shown in another way, for which nobody needs to be asked. */
function restyle(): void {
  const { isLog, hasAverage } = readChoices();
  setView({ ...view, isLog, hasAverage });
  style({ isLog, hasAverage });
}

/** Draws with the key that is in its field. */
async function submit(): Promise<void> {
  const given = keyField.value.trim();
  const problem = problemOfKey(given);
  key = problem ? undefined : given;
  keepKey(keep.checked ? key : undefined);
  known.clear();
  const drawn = choose();
  if (problem) tell(problem);
  // What comes of it is there too, but for a problem, which is above.
  reveal();
  await drawn;
  revealProblem();
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void submit();
});
form.addEventListener('change', ({ target }) => {
  if (target === keep) keepKey(keep.checked ? key : undefined);
  else if (target !== keyField) void choose();
});
for (const name of ['average', 'log']) byId(name, HTMLInputElement).addEventListener('change', restyle);
document.addEventListener('themechange', redraw);

fillControls((preset) => {
  const choices = readChoices();
  showView({ ...choices, ...daysOf(preset, choices.chains, today()) }, today());
  void choose();
});
wireTools();
wireCopy();
showView(view, today());
showCurl(root, view);
key = keptKey();
if (key) {
  keyField.value = key;
  keep.checked = true;
  void draw(view);
}
