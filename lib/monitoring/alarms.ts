/**
 * Every alarm: when it is raised, and what to do first. The description that arrives with it is made of this, and docs/runbook.md
 * has a section of the same name for each.
 */
export const alarms = {
  'data-old': {
    when: "The newest days of a chain's figures have been missing for too long.",
    action:
      'If ingest-failing is raised for the chain as well, follow that. If the lag on the dashboard shrinks, it is catching up: wait. ' +
      'If not, look at its faults and add a node that is faster or has the blocks.',
  },
  'ingest-failing': {
    when: 'For an hour every run of the ingest for a chain failed. Nothing is lost, but nothing new comes.',
    action:
      "Read the reason in the ingest function's log, under the chain's name. Mostly its nodes are away or limit requests: set others.",
  },
  'ingest-crashed': {
    when:
      'A run of the ingest ended in a way that no later run mends: a day in conflict with what is final, no memory, no room to ' +
      'start, or a mistake in the code.',
    action:
      'Read the message in the queue of crashes and the log of that request. Once mended, purge the queue.',
  },
  'schedule-failing': {
    when: 'A run of the ingest could not be asked for, though it was tried again and again.',
    action:
      'Read the error in the attributes of the message in the queue of missed runs. Once mended, purge the queue.',
  },
  'backfill-failed': {
    when: 'A backfill ended, and some of its days could not be read. Nothing else waits for them.',
    action:
      'Ask npx chain-insights backfill status which days failed and why. Mend that, and start the backfill again: it goes on with them.',
  },
  'api-errors': {
    when: 'Too many requests are answered with 5xx.',
    action:
      "If table-throttled is raised, follow that. If the dashboard shows throttled functions, the account's concurrency is used up. " +
      "Otherwise read the errors in the functions' logs: they name their request.",
  },
  'api-slow': {
    when: 'The slowest hundredth of requests takes too long.',
    action:
      "Compare the functions' duration and the table's latency on the dashboard, to see which of them became slow.",
  },
  'table-throttled': {
    when: "The table refuses requests, because they exceed the stage's limits or come too fast for one chain.",
    action:
      'If the load is wanted, raise table.readUnits or table.writeUnits of the stage. If not, find its key by the access log and limit it.',
  },
} as const;

type AlarmName = keyof typeof alarms;

export type AlarmTexts = ReturnType<typeof alarmTextsOf>;

/** The name and description of a stack's alarms. The subject is the chain, say, where there is an alarm for each. */
export const alarmTextsOf = (stackName: string) => (name: AlarmName, subject?: string) => {
  const { when, action } = alarms[name];
  return {
    alarmNameOverride: [stackName, name, ...(subject ? [subject] : [])].join('-'),
    alarmDescriptionOverride: `${subject ? `${subject}: ` : ''}${when} ${action} More: docs/runbook.md#${name}`,
  };
};
