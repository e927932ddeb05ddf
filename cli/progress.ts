import { SingleBar } from 'cli-progress';
import { formatCount, formatDuration, formatRate } from './print.ts';

/** How far a long work is, for people. */
export interface Progress {
  /**
   * @param share of the work that is done, 0 to 1
   * @param done units so far
   * @param note what is to be seen beside them
   */
  readonly update: (share: number, done: number, note?: string) => void;
  readonly end: () => void;
}

/** Shorter work needs none. */
const FROM_MS = 2_000;
/** A terminal shows what goes on; a log gets a line now and then. */
const BAR_EVERY_MS = 200;
const LINE_EVERY_MS = 10_000;
/** The rate is that of the last seconds; of a larger part of long work, which may go in leaps. */
const RATE_OVER_MS = 10_000;
const RATE_OVER_SHARE = 0.2;
const SAMPLES = 50;

/**
 * Shows progress on stderr: a bar with rate and time left on a terminal, and else plain lines.
 * @param unit what is counted, such as `blocks`
 */
export function startProgress(
  unit: string,
  { stream = process.stderr, now = Date.now }: { stream?: NodeJS.WriteStream; now?: () => number } = {},
): Progress {
  const startedAt = now();
  let state = { share: 0, done: 0, note: '' };
  /** What was known at some moments of the last seconds, and first of all at the beginning. */
  let samples: { at: number; share: number; done: number }[] = [];
  let bar: SingleBar | undefined;
  let saidAt = 0;

  const figures = () => {
    const since = samples[0] ?? { ...state, at: now() };
    const seconds = Math.max(now() - since.at, 1) / 1_000;
    const speed = (state.share - since.share) / seconds;
    const isKnown = state.done > since.done && speed > 0;
    const left = isKnown ? `${formatDuration((1 - state.share) / speed)} left` : 'time left not known yet';
    return [
      `${formatCount(state.done)} ${unit}`,
      `${formatRate((state.done - since.done) / seconds)} ${unit}/s`,
      left,
      ...(state.note ? [state.note] : []),
    ].join(', ');
  };

  const show = () => {
    const at = now();
    const { share, done } = state;
    const rateOver = Math.max(RATE_OVER_MS, (at - startedAt) * RATE_OVER_SHARE);
    if (at - (samples.at(-1)?.at ?? 0) >= rateOver / SAMPLES) {
      samples = [...samples.filter((sample) => at - sample.at <= rateOver), { at, share, done }];
    }
    if (at - startedAt < FROM_MS) return;
    if (stream.isTTY) {
      bar ??= startBar(stream);
      bar.update(share, { figures: figures() });
    } else if (at - saidAt >= LINE_EVERY_MS && share > 0) {
      saidAt = at;
      stream.write(`${Math.floor(share * 100)} %: ${figures()}\n`);
    }
  };
  const timer = setInterval(show, BAR_EVERY_MS).unref();

  return {
    update: (share, done, note = '') => {
      // What was done before by another run is no part of the rate.
      if (samples.length === 0) samples = [{ at: now(), share, done }];
      state = { share, done, note };
    },
    end: () => {
      clearInterval(timer);
      bar?.update(state.share, { figures: figures() });
      bar?.stop();
    },
  };
}

function startBar(stream: NodeJS.WriteStream): SingleBar {
  const bar = new SingleBar({
    stream,
    format: '{bar} {percentage} %  {figures}',
    barsize: 24,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    // Ctrl-C is for the command to handle.
    gracefulExit: false,
  });
  bar.start(1, 0, { figures: '' });
  return bar;
}
