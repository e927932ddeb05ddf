/**
 * Each alarm's severity, cause and first action. Its description consists of the last two, and docs/runbook.md has a section of the
 * same name. `page`: a figure may be wrong, data is late, or the API is down. `notice`: it can wait for the morning.
 */
export const alarms = {
  conflict: {
    severity: 'page',
    when:
      'Nodes contradict final figures, or each other about the final block; it stays until someone settles it. Or nothing has ' +
      'proven for an hour which block is final.',
    action:
      'Run npx --no chain-insights status to list the conflicts, verify each day, and restate or settle it.',
  },
  'data-old': {
    severity: 'page',
    when: 'The newest days of a chain have been missing for too long. Without data, no run reported for hours.',
    action:
      'If ingest-failing is active for the chain too, follow that alarm. If the lag on the dashboard shrinks, the ingest is ' +
      'catching up: wait. Otherwise check the faults of its nodes, and add a node that is faster or has the blocks.',
  },
  'ingest-failing': {
    severity: 'page',
    when: 'Every recent run of the ingest for a chain failed. No data is lost, but no new data arrives.',
    action:
      "Read the reason in the ingest function's log, under the chain's name. Usually nodes are unreachable or limit requests: " +
      'configure others.',
  },
  'head-old': {
    severity: 'page',
    when: 'The newest final block that the nodes of a chain report is too old. The runs succeed, but no new day can be complete.',
    action:
      'Compare with a block explorer: if the chain itself finalizes nothing, wait. Otherwise its nodes are stuck: configure others.',
  },
  'ingest-crashed': {
    severity: 'notice',
    when: 'A run of the ingest or of the export ended without a report: memory or concurrency ran out, or the code has a bug.',
    action:
      'Read the message in the crash queue and the log of that request. Fix the cause, then purge the queue.',
  },
  'schedule-failing': {
    severity: 'notice',
    when: 'EventBridge Scheduler could not invoke a function after all retries.',
    action:
      'Read the error in the attributes of the message in the queue of missed runs. Fix the cause, then purge the queue.',
  },
  'events-failing': {
    severity: 'notice',
    when: 'Two or more runs within an hour could not send the events of days. No event is lost: each run tries again, in order.',
    action:
      "Read unsentEvents in the ingest function's log. Usually a permission is missing: deploy again. If EventBridge is down, " +
      'wait.',
  },
  'backfill-failed': {
    severity: 'notice',
    when: 'A backfill ended, and could not read some of its days. Nothing else depends on them.',
    action:
      'Run npx --no chain-insights backfill status to list the failed days and reasons. Fix the cause and start the backfill ' +
      'again: it reads only the missing days.',
  },
  'api-errors': {
    severity: 'page',
    when: 'Too many requests receive a 5xx response: a share of many, or several within an hour.',
    action:
      'If table-throttled is active, follow that alarm. If the dashboard shows throttled functions, the account has no ' +
      "concurrency left. Otherwise read the errors in the functions' logs: each names its request.",
  },
  'probe-failing': {
    severity: 'page',
    when: 'The probe, which calls the API like a client, failed twice in a row, or did not run.',
    action:
      "Read the reason in the probe function's log. Without a key, issue one: npx --no chain-insights keys probe.",
  },
  'api-slow': {
    severity: 'notice',
    when: 'The slowest percent of requests takes too long.',
    action:
      "Compare the functions' duration and the table's latency on the dashboard to see which became slow.",
  },
  'table-throttled': {
    severity: 'notice',
    when: "The table throttles requests: they exceed the stage's limits, or one chain receives too many.",
    action:
      'If the load is legitimate, raise table.readUnits or table.writeUnits of the stage. Otherwise find its key in the access ' +
      'log and limit it.',
  },
} as const;

export type AlarmName = keyof typeof alarms;

/**
 * Returns the name and the description of an alarm. The subject distinguishes alarms of one kind, such as a chain. The severity is part
 * of the name, so that a mail shows it.
 */
export function alarmTexts(stackName: string, name: AlarmName, subject?: string) {
  const { severity, when, action } = alarms[name];
  return {
    alarmName: [stackName, severity, name, ...(subject ? [subject] : [])].join('-'),
    alarmDescription: `${subject ? `${subject}: ` : ''}${when} ${action} More: docs/runbook.md#${name}`,
  };
}
