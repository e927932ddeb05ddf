import type { Properties } from './stack.ts';

/*
 * Values of metrics and of the expressions over them, as CloudWatch computes them for an alarm:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */

/** A value of a metric at a time, in milliseconds. */
export interface Sample {
  readonly at: number;
  /**
   * Name and dimensions of a metric of the stack, such as `Lateness chain=BASE service=ingest`. Metrics of AWS go by their name alone, and
   * those of a function also by the beginning of its logical ID, such as `Errors Apiprobe`.
   */
  readonly metric: string;
  readonly value: number;
}

export type Points = readonly (number | undefined)[];

/** A metric of an alarm, with the name that its expression uses. */
interface Source {
  readonly id: string;
  readonly metric: string;
  readonly statistic: string;
  readonly periodMs: number;
}

const statistics: Record<string, (values: readonly number[]) => number> = {
  Minimum: (values) => Math.min(...values),
  Maximum: (values) => Math.max(...values),
  Sum: (values) => values.reduce((sum, value) => sum + value, 0),
  SampleCount: (values) => values.length,
};

function sourceOf(
  id: string,
  { Namespace, MetricName, Dimensions = [] }: Properties,
  stat: Properties,
): Source {
  const own = Dimensions.map(({ Name, Value }: Properties) => `${Name}=${Value}`).toSorted();
  const functions = Dimensions.flatMap(({ Value }: Properties) => Value.Ref ?? []);
  const name = Namespace === 'Test' ? own : MetricName === 'Errors' ? functions.map(withoutSuffix) : [];
  const periodMs = stat.Period * 1_000;
  return { id, metric: [MetricName, ...name].join(' '), statistic: stat.Stat ?? stat.Statistic, periodMs };
}

const withoutSuffix = (logicalId: string): string => logicalId.replace(/Function\w{8}$/, '');

/** A metric that an expression names, as it is or filled: by its last value before, or by a number. */
interface Operand {
  readonly source: Source;
  readonly filler?: string | undefined;
}

/** The value that an alarm compares with its threshold. */
export interface Compared {
  readonly periodMs: number;
  readonly operands: readonly Operand[];
  readonly compute: (...values: readonly number[]) => unknown;
}

/** Without a third argument, IF has no value where the condition is false. */
const IF = (condition: unknown, then: unknown, otherwise?: unknown) => (condition ? then : otherwise);

/** Reads the metric or the expression of an alarm. */
export function comparedOf(properties: Properties): Compared {
  const parts: Properties[] = properties.Metrics ?? [];
  const [expression = 'only'] = parts.flatMap(({ Expression }) => Expression ?? []);
  const sources = parts.flatMap(({ Id, MetricStat }) =>
    MetricStat ? [sourceOf(Id, MetricStat.Metric, MetricStat)] : [],
  );
  const all = parts.length === 0 ? [sourceOf('only', properties, properties)] : sources;
  const [periodMs = 0, ...others] = new Set(all.map((source) => source.periodMs));
  if (others.length > 0) throw new Error(`All metrics of an expression need one period: ${expression}`);

  const operands: Operand[] = [];
  const nameOf = (id: string, filler?: string): string => {
    const source = all.find((one) => one.id === id);
    return source ? `$${operands.push({ source, filler }) - 1}` : id;
  };
  const code = expression
    .replaceAll(/FILL\((\w+), (\w+)\)/g, (_: string, id: string, filler: string) => nameOf(id, filler))
    .replaceAll(/(?<!\$)\b[a-z]\w*\b/g, (id: string) => nameOf(id))
    .replaceAll(' AND ', ' && ')
    .replaceAll(' OR ', ' || ');
  const names = operands.map((_, index) => `$${index}`);
  const body = new Function('IF', ...names, `return ${code};`);
  return { periodMs, operands, compute: (...values) => body(IF, ...values) };
}

/** Samples by metric, and the values of periods that were computed before. */
export interface Measured {
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  readonly known: Map<string, Map<number, number | undefined>>;
}

export const measuredOf = (samples: readonly Sample[]): Measured => ({
  samples: Map.groupBy(
    samples.toSorted((one, other) => one.at - other.at),
    (sample) => sample.metric,
  ),
  known: new Map(),
});

/** Returns the value of a metric in the period that ends at a time; undefined without data. */
function periodValue(all: readonly Sample[], { statistic, periodMs }: Source, end: number) {
  const found = all.slice(countUntil(all, end - periodMs), countUntil(all, end));
  return found.length === 0 ? undefined : statistics[statistic]?.(found.map(({ value }) => value));
}

/** Returns a function that reads the value of a metric in the period that ends at a time, and remembers it. */
function periodsOf({ samples, known }: Measured, source: Source) {
  const key = `${source.metric} ${source.statistic} ${source.periodMs}`;
  const values = known.get(key) ?? new Map<number, number | undefined>();
  known.set(key, values);
  return (end: number): number | undefined => {
    if (!values.has(end)) values.set(end, periodValue(samples.get(source.metric) ?? [], source, end));
    return values.get(end);
  };
}

/** Counts the samples until a time, which belongs to them. */
function countUntil(samples: readonly Sample[], time: number): number {
  let [low, high] = [0, samples.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((samples[middle]?.at ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns a function of a time, which gives the values of the periods of the evaluation range that ends then, the oldest first. A period
 * has none where a part of the expression has none.
 * @param count of periods
 * @param fillsEmpty whether FILL by a number fills a metric that has no value in the whole range, which the documentation leaves open
 */
export function rangesOf(
  { operands, compute, periodMs }: Compared,
  measured: Measured,
  count: number,
  fillsEmpty: boolean,
): (now: number) => Points {
  const periods = operands.map(({ source }) => periodsOf(measured, source));
  const rangeAt = (now: number): Points => {
    const filled = operands.map(({ filler }, index) => {
      const values: (number | undefined)[] = [];
      for (let back = count - 1; back >= 0; back--) values.push(periods[index]?.(now - back * periodMs));
      return fill(values, filler, fillsEmpty);
    });
    const [first = []] = filled;
    return first.map((_, index) => {
      const values = filled.map((one) => one[index]);
      if (!isComplete(values)) return undefined;
      const value = compute(...values);
      return typeof value === 'number' && !Number.isNaN(value) ? value : undefined;
    });
  };
  // Without any sample, all ranges are alike.
  const isSilent = operands.every(({ source }) => !measured.samples.has(source.metric));
  const silent = isSilent ? rangeAt(0) : undefined;
  return silent ? () => silent : rangeAt;
}

const isComplete = (values: Points): values is readonly number[] =>
  values.every((value) => value !== undefined);

function fill(values: Points, filler: string | undefined, fillsEmpty: boolean): Points {
  if (filler === undefined) return values;
  if (filler === 'REPEAT') return repeat(values);
  const isEmpty = values.every((value) => value === undefined);
  return isEmpty && !fillsEmpty ? values : values.map((value) => value ?? Number(filler));
}

/** Gives each missing value the last one before it. Those before the first stay missing. */
function repeat(values: Points): Points {
  let last: number | undefined;
  return values.map((value) => {
    last = value ?? last;
    return last;
  });
}
