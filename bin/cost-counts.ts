import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import { ChainInsightsStack, type Stage } from '../lib/chain-insights-stack.ts';

/* Counts, in the template of a stage, what docs/operate/cost.md states, so that the page follows it. */

const metricSchema = z.object({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z.unknown().optional(),
});
const alarmSchema = z.union([
  z.object({ Metrics: z.array(z.object({ MetricStat: z.object({ Metric: metricSchema }).optional() })) }),
  metricSchema,
]);
const scheduleSchema = z.object({ Target: z.object({ Input: z.string().optional() }) });
export const functionSchema = z.object({
  MemorySize: z.number(),
  VpcConfig: z.unknown().optional(),
  Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }),
});

const STACK = 'Cost';

/** Synthesizes a stage without bundling, and returns a function that lists the properties of all resources of a type. */
export function synthesize(stage: Stage): (type: string) => readonly unknown[] {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] }, builtinCloudFormationValidation: false });
  const template = Template.fromStack(
    new ChainInsightsStack(app, STACK, { ...stage, alarmEmail: 'none', protect: false }),
  );
  return (type) => Object.values(template.findResources(type)).map(({ Properties }) => Properties);
}

/** Counts the parts of a stage that decide its bill without requests. */
export function countIn(stage: Stage) {
  const propertiesOf = synthesize(stage);
  const metrics = z
    .array(alarmSchema)
    .parse(propertiesOf('AWS::CloudWatch::Alarm'))
    .flatMap((alarm) =>
      'Metrics' in alarm ? alarm.Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []) : [alarm],
    );
  const own = metrics.filter(({ Namespace }) => Namespace === STACK);
  // A run publishes a metric of its chain, which has no alarm of its own where it is the only one.
  const runs = z.array(scheduleSchema).parse(propertiesOf('AWS::Scheduler::Schedule'));
  const chainsRead = runs.filter(({ Target }) => Target.Input?.includes('"job":"ingest"')).length;
  const ofAll = own.map((metric) => JSON.stringify(metric)).filter((metric) => !metric.includes('"chain"'));
  const functions = z.array(functionSchema).parse(propertiesOf('AWS::Lambda::Function'));
  const withVariable = (name: string) =>
    functions.find(({ Environment }) => Environment.Variables[name] !== undefined);
  return {
    alarmMetrics: metrics.length,
    composites: propertiesOf('AWS::CloudWatch::CompositeAlarm').length,
    customMetrics: chainsRead + new Set(ofAll).size,
    ingestMemory: withVariable('POWERTOOLS_METRICS_NAMESPACE')?.MemorySize ?? 0,
    hasProbe: withVariable('PROBE_KEY_PARAMETER') !== undefined,
  };
}
