/** Each alarm's cause and first action. Its description consists of both, and docs/runbook.md has a section of the same name. */
export const alarms = {
  'data-old': {
    when: 'The newest days of a chain have been missing for too long.',
    action:
      'If ingest-failing is active for the chain too, follow that alarm. If the lag on the dashboard shrinks, the ingest is ' +
      'catching up: wait. Otherwise check the faults of its nodes, and add a node that is faster or has the blocks.',
  },
  'ingest-failing': {
    when: 'Every run of the ingest for a chain failed for an hour. No data is lost, but no new data arrives.',
    action:
      "Read the reason in the ingest function's log, under the chain's name. Usually nodes are unreachable or limit requests: " +
      'configure others.',
  },
  'ingest-crashed': {
    when:
      'A run of the ingest failed in a way that later runs cannot repair: a day conflicts with a final one, memory or ' +
      'concurrency ran out, or the code has a bug.',
    action:
      'Read the message in the crash queue and the log of that request. Fix the cause, then purge the queue.',
  },
  'schedule-failing': {
    when: 'EventBridge Scheduler could not invoke the ingest after all retries.',
    action:
      'Read the error in the attributes of the message in the queue of missed runs. Fix the cause, then purge the queue.',
  },
  'events-failing': {
    when: 'Two or more runs within an hour could not send the events of days. No event is lost: each run tries again, in order.',
    action:
      "Read unsentEvents in the ingest function's log. Usually a permission is missing: deploy again. If EventBridge is down, " +
      'wait.',
  },
  'backfill-failed': {
    when: 'A backfill ended, and could not read some of its days. Nothing else depends on them.',
    action:
      'Run npx chain-insights backfill status to list the failed days and reasons. Fix the cause and start the backfill ' +
      'again: it reads only the missing days.',
  },
  'api-errors': {
    when: 'Too many requests receive a 5xx response.',
    action:
      'If table-throttled is active, follow that alarm. If the dashboard shows throttled functions, the account has no ' +
      "concurrency left. Otherwise read the errors in the functions' logs: each names its request.",
  },
  'api-slow': {
    when: 'The slowest percent of requests takes too long.',
    action:
      "Compare the functions' duration and the table's latency on the dashboard to see which became slow.",
  },
  'release-failing': {
    when: 'During a release, too many requests received a 5xx response or took too long within a minute.',
    action:
      'CodeDeploy rolls the release back, and the deployment fails. Read the errors in the logs of the functions, fix the cause ' +
      'and deploy again.',
  },
  'table-throttled': {
    when: "The table throttles requests: they exceed the stage's limits, or one chain receives too many.",
    action:
      'If the load is legitimate, raise table.readUnits or table.writeUnits of the stage. Otherwise find its key in the access ' +
      'log and limit it.',
  },
} as const;

export type AlarmName = keyof typeof alarms;

export type AlarmTexts = ReturnType<typeof alarmTextsOf>;

/** Returns a function that names and describes alarms of a stack. The subject distinguishes alarms of one kind, such as a chain. */
export const alarmTextsOf = (stackName: string) => (name: AlarmName, subject?: string) => {
  const { when, action } = alarms[name];
  return {
    alarmNameOverride: [stackName, name, ...(subject ? [subject] : [])].join('-'),
    alarmDescriptionOverride: `${subject ? `${subject}: ` : ''}${when} ${action} More: docs/runbook.md#${name}`,
  };
};
