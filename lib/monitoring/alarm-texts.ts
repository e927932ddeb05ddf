import { SOFTWARE_VERSION } from '../../core/software-version.ts';

const page = (when: string, action: string) => ({ severity: 'page', when, action }) as const;
const notice = (when: string, action: string) => ({ severity: 'notice', when, action }) as const;

/**
 * Each alarm's severity, meaning and first action. `page`: a person must act tonight, and an email goes out at once. `notice`: it can wait
 * for the daily email. docs/operate/runbook.md has a section of the same name, and docs/operate/operations.md a table of all.
 */
export const alarms = {
  chain: page(
    'No new days of this chain arrive: for hours, no run could read a new final block, no day became final, or no run reported. Or a host says that a fork within three days is one that this version does not follow.',
    'status',
  ),
  ingest: page(
    'No chain gets new days: no run reported for two hours, or none could read a new final block for six. Chains send no email of their own meanwhile.',
    'status',
  ),
  conflict: page(
    'A published day may be wrong: its blocks now give other figures, or two days do not follow each other.',
    'status',
  ),
  api: page(
    'Callers get no answers: many requests fail (api-down), or the probe does (probe-failing).',
    'probe',
  ),
  'api-down': page('Many requests receive a 5xx response.', 'probe'),
  'probe-failing': page(
    'The probe, which calls the API like a client, failed twice in a row, or did not run.',
    'probe',
  ),
  'run-lost': notice(
    'A run of the ingest or the export ended without a report, or could not start. The next one continues its work.',
    'Read the message in the queue of lost runs.',
  ),
  'backfill-failed': notice(
    'A backfill ended, and could not read some of its days.',
    'Run npx --no chain-insights backfill status.',
  ),
  'table-throttled': notice(
    "The table throttled requests: they exceeded the stage's limits, or one chain received too many.",
    'If the load is legitimate, raise requestsPerSecond. Otherwise find its key and limit it.',
  ),
  'api-errors': notice(
    'Some requests received a 5xx response, though too few for a page.',
    "Read the errors in the functions' logs: each names its request.",
  ),
  'export-stale': notice(
    'The last exports failed, or none ran for 30 hours. Until one works, no daily email goes out either.',
    'Invoke the export function, and read its error.',
  ),
};

export type AlarmName = keyof typeof alarms;
export type Severity = (typeof alarms)[AlarmName]['severity'];

/** The stack that alarms describe, and the commands that show what is wrong with it. */
export interface Described {
  readonly stackName: string;
  /** Shows why the API fails. */
  readonly probeCommand: string;
  /** The web address of the repository, from `repository` of package.json; absent where it is not published. */
  readonly repository?: string | undefined;
}

/**
 * Returns the name, with the severity, and the description of an alarm. @param subject of several alarms of one kind, such as a chain
 * @param isPart whether another alarm acts for it, so that its name has no severity
 */
export function alarmTexts(
  { stackName, probeCommand, repository }: Described,
  name: AlarmName,
  { subject, isPart = false }: { readonly subject?: string | undefined; readonly isPart?: boolean },
) {
  const { severity, when, action } = alarms[name];
  const chain = subject === undefined ? '' : ` --chain ${subject}`;
  const commands: Readonly<Record<string, string>> = {
    status: `First: npx --no chain-insights status --stage ${stageOf(stackName)}${chain}`,
    probe: `First: ${probeCommand}`,
  };
  const about = subject === undefined ? '' : `${subject}: `;
  return {
    alarmName: [stackName, isPart ? 'part' : severity, name, ...(subject ? [subject] : [])].join('-'),
    alarmDescription: `${about}${when} ${commands[action] ?? action} ${pageOf(name, repository)}`,
  };
}

/** Returns where to read on: an email is read where no clone is. A tag `v…` marks each release. */
const pageOf = (name: AlarmName, repository: string | undefined): string =>
  repository === undefined
    ? `More: section "${name}" of the page Runbook, docs/operate/runbook.md of version ${SOFTWARE_VERSION}.`
    : `More: ${repository}/blob/v${SOFTWARE_VERSION}/docs/operate/runbook.md#${name}`;

/** Returns the stage that commands name, from the stack's name as bin/chain-insights.ts gives it. */
const stageOf = (stackName: string): string => stackName.replace(/^ChainInsights-/, '');
