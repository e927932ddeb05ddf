import { SingleBar } from 'cli-progress';
import { interrupted } from './exit-codes.ts';
import { formatCount, formatDuration } from './print.ts';

/** Shorter operations show no progress. */
const START_AFTER_MS = 2_000;
const LINE_EVERY_MS = 10_000;
/** The time left is estimated from the last updates; days differ in length, so these must span several. */
const ETA_UPDATES = 1_000;

/**
 * Shows progress on stderr: a bar on a terminal, a line every ten seconds elsewhere.
 * @param unit plural, such as `blocks`
 * @param total the units to do, unless `add` is given shares
 */
export function startProgressBar(unit: string, total = 1, stream: NodeJS.WriteStream = process.stderr) {
  let [done, share] = [0, 0];
  const show = () => `${formatCount(done)} ${done === 1 ? unit.replace(/s\b/, '') : unit}`;
  let figures = { done: show(), note: '' };
  const bar = new SingleBar({
    stream,
    format: `${stream.isTTY ? '{bar} ' : ''}{percentage}%, {done}{eta_formatted}{note}`,
    formatTime: (eta) => (Number.isFinite(eta) && eta > 0 ? `, ${formatDuration(eta)} left` : ''),
    etaBuffer: ETA_UPDATES,
    noTTYOutput: true,
    notTTYSchedule: LINE_EVERY_MS,
    barsize: 24,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    // The command handles Ctrl-C.
    gracefulExit: false,
    // Without a terminal, this avoids a blank line at the end; and nothing stays above a result that is piped.
    clearOnComplete: !stream.isTTY || !process.stdout.isTTY,
  });
  let lastShown = 0;
  bar.on('redraw-post', () => {
    lastShown = share;
  });
  const timer = setTimeout(() => bar.start(1, share, figures), START_AFTER_MS).unref();
  const end = () => {
    clearTimeout(timer);
    interrupted.removeEventListener('abort', end);
    // Only a terminal overwrites the last line. Elsewhere, a further one is worth it only when the work is done.
    if (!stream.isTTY && (share < 1 || lastShown === 1)) Object.assign(bar, { render: () => {} });
    bar.stop();
  };
  // The end of the bar returns to its line, which must not overwrite what Ctrl-C prints below it.
  interrupted.addEventListener('abort', end);
  return {
    /** @param newShare of the work done, 0 to 1 @param note shown after the units that are done */
    add: (units: number, newShare = (done + units) / total, note = '') => {
      done += units;
      share = newShare;
      figures = { done: show(), note: note && `, ${note}` };
      // Does nothing before the start.
      bar.update(share, figures);
    },
    end,
    [Symbol.dispose]: end,
  };
}
