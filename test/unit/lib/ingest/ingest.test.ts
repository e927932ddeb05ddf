import { defaultChainNames } from '#core/chains/chains.ts';
import { ETHEREUM_BEACON } from '#core/chains/finality-rules.ts';
import type { Stage } from '#lib/config.ts';
import { nameOf, propertiesOf, templateOf } from '#test/support/aws/stack.ts';

const schedulesOf = (stage: Stage) =>
  propertiesOf(templateOf(stage), 'AWS::Scheduler::Schedule').filter(({ Description }) =>
    Description.startsWith('Ingests '),
  );

const scheduled = (stage: Stage) =>
  schedulesOf(stage).map(({ ScheduleExpression, Target }) => ({
    every: ScheduleExpression,
    ...JSON.parse(Target.Input),
  }));

test('schedules each chain separately', () => {
  expect(scheduled({})).toEqual(
    defaultChainNames.map((chain) => ({
      every: 'rate(5 minutes)',
      job: 'ingest',
      chain,
      evidence: 'proven',
    })),
  );
});

test('applies the stage’s chains, start dates, evidence, nodes and beacon chain', () => {
  const beacon = { network: ETHEREUM_BEACON };
  const chains = {
    ...Object.fromEntries(defaultChainNames.map((name) => [name, { enabled: false }])),
    ETHEREUM: { beacon },
    BSC: { startDate: '2026-10-01', evidence: 'checked' as const },
    POLYGON: { confirmations: 256, quorum: 2, endpointsParameter: '/nodes/polygon' },
  };
  expect(scheduled({ chains })).toEqual([
    { every: 'rate(5 minutes)', job: 'ingest', chain: 'ETHEREUM', beacon, evidence: 'proven' },
    { every: 'rate(5 minutes)', job: 'ingest', chain: 'BSC', startDate: '2026-10-01', evidence: 'checked' },
    {
      every: 'rate(5 minutes)',
      job: 'ingest',
      chain: 'POLYGON',
      confirmations: 256,
      quorum: 2,
      evidence: 'proven',
      endpointsParameter: '/nodes/polygon',
    },
  ]);
});

test('retries a failed invocation until the next one is due, then sends it to the queue of lost runs', () => {
  for (const { Target } of schedulesOf({})) {
    expect(Target.RetryPolicy).toEqual({ MaximumEventAgeInSeconds: 300, MaximumRetryAttempts: 3 });
    expect(nameOf(Target.DeadLetterConfig.Arn)).toMatch(/^IngestLostRuns/);
  }
});
