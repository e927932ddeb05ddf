/**
 * Each alarm's severity, meaning and first action. `page`: a person must act tonight, and a mail goes out at once. `notice`: it can wait
 * for the daily mail. docs/runbook.md has a section of the same name, and docs/operations.md a table of all.
 */
export const alarms = {
  chain: {
    severity: 'page',
    when: 'No new days arrive: the newest day is late (data-old), nodes give no new final block (head-old), or runs stopped.',
    action: 'status',
  },
  'data-old': { severity: 'page', when: 'The newest day is late.', action: 'status' },
  'head-old': {
    severity: 'page',
    when: 'For hours, no run could read a new final block: nodes are stuck, unreachable, or refuse what the ingest needs.',
    action: 'status',
  },
  conflict: {
    severity: 'page',
    when: 'A published day may be wrong: its blocks now give other figures, or two days do not follow each other.',
    action: 'status',
  },
  api: {
    severity: 'page',
    when: 'Callers get no answers: many requests fail (api-down), or the probe does (probe-failing).',
    action: 'probe',
  },
  'api-down': { severity: 'page', when: 'Many requests receive a 5xx response.', action: 'probe' },
  'probe-failing': {
    severity: 'page',
    when: 'The probe, which calls the API like a client, failed twice in a row, or did not run.',
    action: 'probe',
  },
  'run-lost': {
    severity: 'notice',
    when: 'A run of the ingest or the export ended without a report, or could not start. The next one continues its work.',
    action: 'Read the message in the queue of lost runs.',
  },
  'backfill-failed': {
    severity: 'notice',
    when: 'A backfill ended, and could not read some of its days.',
    action: 'Run npx --no chain-insights backfill status.',
  },
  'table-throttled': {
    severity: 'notice',
    when: "The table throttled requests: they exceeded the stage's limits, or one chain received too many.",
    action: 'If the load is legitimate, raise requestsPerSecond. Otherwise find its key and limit it.',
  },
  'api-errors': {
    severity: 'notice',
    when: 'Some requests received a 5xx response, though too few for a page.',
    action: "Read the errors in the functions' logs: each names its request.",
  },
  'export-stale': {
    severity: 'notice',
    when: 'The last exports failed, or none ran for 30 hours. Until one works, no daily mail goes out either.',
    action: 'Invoke the export function, and read its error.',
  },
} as const;

export type AlarmName = keyof typeof alarms;
type Action = (typeof alarms)[AlarmName]['action'];

/** The stack that alarms describe, and the commands that show what is wrong with it. */
export interface Described {
  readonly stackName: string;
  /** Shows why the API fails. */
  readonly probeCommand: string;
}

/**
 * Returns the name and the description of an alarm. The severity is part of the name, so that a mail shows it.
 * @param subject distinguishes alarms of one kind, such as a chain
 */
export function alarmTexts({ stackName, probeCommand }: Described, name: AlarmName, subject?: string) {
  const { severity, when, action } = alarms[name];
  const chain = subject === undefined ? '' : ` --chain ${subject}`;
  const commands: Partial<Record<Action, string>> = {
    status: `First: npx --no chain-insights status --stage ${stageOf(stackName)}${chain}`,
    probe: `First: ${probeCommand}`,
  };
  const about = subject === undefined ? '' : `${subject}: `;
  return {
    // The mail of a chain needs no word for its kind.
    alarmName: [stackName, severity, ...(name === 'chain' ? [] : [name]), ...(subject ? [subject] : [])].join(
      '-',
    ),
    alarmDescription: `${about}${when} ${commands[action] ?? action} More: docs/runbook.md#${name}`,
  };
}

/** Returns the stage that commands name, from the stack's name as bin/chain-insights.ts gives it. */
const stageOf = (stackName: string): string => stackName.replace(/^ChainInsights-/, '');
