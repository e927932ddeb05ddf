/** A fork that a host says is scheduled. It is the word of one host, so it raises a question and never changes a figure or a rule. */
export interface ScheduledFork {
  readonly name?: string | undefined;
  /** ISO 8601. */
  readonly at: string;
  readonly host: string;
  /** True if the tables of this version have it. */
  readonly followed: boolean;
}

export const describeScheduled = ({ name, at, host, followed }: ScheduledFork): string =>
  `${host} says that a fork${name === undefined ? '' : ` (${name})`} is scheduled for ${at.slice(0, 16).replace('T', ' ')} UTC. ` +
  `This version ${followed ? 'follows it' : 'does not know it, and days after it may wait for an update'}.`;

const ALARM_MS = 3 * 86_400_000;

/** Returns the forks that this version does not follow and that begin within three days. @param now milliseconds since 1970 */
export const urgentForks = (forks: readonly ScheduledFork[], now: number): ScheduledFork[] =>
  forks.filter(({ at, followed }) => !followed && Date.parse(at) > now && Date.parse(at) - now <= ALARM_MS);
