import type { UtcDay } from '../../lambda/chains/utc-day.ts';
import type { SummedBlock } from '../../lambda/ingest/read-block.ts';
import { getDay, listFinalDays } from '../../lambda/store/days.ts';
import { shareOfDay } from '../day-ranges.ts';
import { requestContext } from '../endpoints.ts';
import { CommandError } from '../exit-codes.ts';
import { commandLine } from '../print.ts';
import { startProgress } from '../progress.ts';
import type { ServedChain } from '../service.ts';
import type { Endpoints } from './endpoints.ts';
import { type Verification, verifyDay } from './verify-day.ts';

/** A day of a chain that is to be verified. */
export interface DayOfChain {
  readonly served: ServedChain;
  readonly day: UtcDay;
}

export type Outcome = Verification | NotVerified;

/** A day that could not be verified, and why. */
interface NotVerified {
  readonly chain: string;
  readonly day: UtcDay;
  readonly reason: string;
}

export const isVerified = (outcome: Outcome): outcome is Verification => 'recomputed' in outcome;

/** What days are verified with. */
export interface DaysRun {
  /** Gives whom a chain's days are read from. */
  readonly endpointsOf: (served: ServedChain) => Promise<Endpoints>;
  /** What a command line for the same service needs. */
  readonly flags: string;
  /** Ends the run; what is verified by then is returned. */
  readonly signal: AbortSignal;
}

/** Verifies one day after the other and shows how far it is. A day that cannot be had holds up no other. */
export async function verifyDays(run: DaysRun, days: readonly DayOfChain[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const progress = startProgress('blocks');
  let blocks = 0;
  try {
    for (const [index, { served, day }] of days.entries()) {
      const which = days.length === 1 ? '' : `, day ${index + 1} of ${days.length}`;
      const onBlock = ({ timestamp, host }: SummedBlock) => {
        blocks += 1;
        progress.update(
          (index + shareOfDay(day, timestamp)) / days.length,
          blocks,
          `${served.name} ${day} from ${host}${which}`,
        );
      };
      outcomes.push(await verifyOne(run, { served, day }, onBlock));
    }
  } catch (error) {
    if (!run.signal.aborted) throw error;
  } finally {
    progress.end();
  }
  return outcomes;
}

async function verifyOne(
  run: DaysRun,
  { served, day }: DayOfChain,
  onBlock: (block: SummedBlock) => void,
): Promise<Outcome> {
  const { endpointsOf, signal } = run;
  signal.throwIfAborted();
  try {
    const stored = await getDay(served.store, day);
    if (!stored) throw new CommandError(await whyNotFinal(run, served, day));
    const context = requestContext(signal);
    return await verifyDay({ served, stored, endpoints: await endpointsOf(served) }, { context, onBlock });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { chain: served.name, day, reason: error.message };
  }
}

/** Tells of a day that is not there what `coverage` would. */
async function whyNotFinal(
  { flags }: DaysRun,
  { name, chain, store }: ServedChain,
  day: UtcDay,
): Promise<string> {
  const final = await listFinalDays(store, chain.firstDay);
  const [first, last] = [final[0], final.at(-1)];
  const known =
    first && last
      ? `Its final days lie from ${first} to ${last}${first < day && day < last ? ', and this one is missing' : ''}`
      : 'It has no final day yet';
  return `${name} ${day} is not final, so there is nothing to verify. ${known}: ${commandLine(flags, 'coverage', '--chain', name)} shows them.`;
}
