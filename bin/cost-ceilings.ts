import * as z from 'zod';
import { PUBLIC_FILES_PATH, pageMethods, type pagePaths } from '../lambda/pages/paths.ts';
import type { Stage } from '../lib/chain-insights-stack.ts';
import { functionSchema, synthesize } from './cost-counts.ts';
import { DAYS, GB_OF_SIX, PRICE } from './cost-prices.ts';

/* Ceilings of what strangers and a NAT gateway can cost, counted in templates. Volume discounts are left out, so each is at least what AWS bills. */

/** A limit of the largest file of each path, in kilobytes after compression. */
export const PAGE_KB: Readonly<Record<(typeof pagePaths)[number], number>> = {
  '/': 2,
  '/docs': 15,
  '/openapi.json': 16,
  '/clients/{file}': 7,
  '/assets/{file}': 110,
  '/{proxy+}': 2,
};
/** The largest part of a file with all days: Parquet takes less than its CSV, whose limit is in lambda/public/write-files.ts. */
const PUBLIC_FILES_KB = { [PUBLIC_FILES_PATH]: 3_500 };
/** Headers of a response, and the lines that Lambda and a function log of a call. */
const HEADERS_KB = 1;
const LINES_KB = 1.1;
/** A line of an access log, or of an error in the execution log. */
const LINE_KB = 0.45;
/** Seconds that a page takes its function. */
const PAGE_SECONDS = 0.005;
/** Requests a second that API Gateway takes for an account and region. */
const ACCOUNT_RATE = 10_000;

const SECONDS = 86_400;
const MILLION = 1e6;

const settingSchema = z.object({
  ResourcePath: z.string(),
  HttpMethod: z.string(),
  ThrottlingRateLimit: z.number(),
  LoggingLevel: z.string().optional(),
});
const stageSchema = z.object({
  MethodSettings: z.array(settingSchema),
  AccessLogSetting: z.unknown().optional(),
});
const methodSchema = z.object({ HttpMethod: z.string() });

type Resources = ReturnType<typeof synthesize>;

function gatewayOf(resources: Resources) {
  const [stage] = z.array(stageSchema).parse(resources('AWS::ApiGateway::Stage'));
  if (!stage) throw new Error('The template has no stage of an API.');
  const [ofAll] = stage.MethodSettings;
  if (!ofAll) throw new Error('The template has no throttle.');
  return { stage, ofAll };
}

/** Returns the dollars a day of paths, requested as often as their throttles allow. @param sizes kilobytes of each */
function dollarsOfPages(resources: Resources, sizes: Readonly<Record<string, number>>): number {
  const { stage } = gatewayOf(resources);
  const functions = z.array(functionSchema).parse(resources('AWS::Lambda::Function'));
  const memory = functions.find(({ Environment }) => 'SITE_FOLDER' in Environment.Variables)?.MemorySize ?? 0;
  const aRequest =
    (PRICE.apiMillion + PRICE.lambdaMillion) / MILLION +
    PAGE_SECONDS * (memory / 1_024) * PRICE.gbSecond +
    gigabytes(LINES_KB) * PRICE.logGb;
  const days = stage.MethodSettings.flatMap(({ ResourcePath, HttpMethod, ThrottlingRateLimit }) => {
    const path = Object.keys(sizes).find((page) => templatePathOf(page) === ResourcePath);
    if (path === undefined || !pageMethods.some((method) => method === HttpMethod)) return [];
    const kilobytes = HEADERS_KB + (HttpMethod === 'HEAD' ? 0 : (sizes[path] ?? 0));
    return [ThrottlingRateLimit * SECONDS * (aRequest + gigabytes(kilobytes) * PRICE.gbOut)];
  });
  return days.reduce((sum, day) => sum + day, 0);
}

const gigabytes = (kilobytes: number): number => kilobytes / 1e6;

const templatePathOf = (page: string): string => (page === '/' ? page : `/${page.replaceAll('/', '~1')}`);

/** Returns the dollars a day of preflight requests, which API Gateway answers. */
function dollarsOfPreflights(resources: Resources): number {
  const methods = z.array(methodSchema).parse(resources('AWS::ApiGateway::Method'));
  const preflights = methods.filter(({ HttpMethod }) => HttpMethod === 'OPTIONS').length;
  const { ThrottlingRateLimit } = gatewayOf(resources).ofAll;
  const aRequest = PRICE.apiMillion / MILLION + gigabytes(HEADERS_KB) * PRICE.gbOut;
  return preflights * ThrottlingRateLimit * SECONDS * aRequest;
}

/** Returns the dollars a day of requests that API Gateway refuses. It charges nothing for them, but their log lines cost as much as others. */
function dollarsOfRefusals(resources: Resources): number {
  const { stage, ofAll } = gatewayOf(resources);
  const logs = [stage.AccessLogSetting, ofAll.LoggingLevel].filter((log) => log && log !== 'OFF').length;
  return ACCOUNT_RATE * SECONDS * logs * gigabytes(LINE_KB) * PRICE.logGb;
}

/** Returns the dollars a day of one NAT gateway, through which the ingest of six chains reads uncompressed blocks. */
function dollarsOfNat(resources: Resources): number {
  const functions = z.array(functionSchema).parse(resources('AWS::Lambda::Function'));
  const ingest = functions.find(({ Environment }) => 'POWERTOOLS_METRICS_NAMESPACE' in Environment.Variables);
  return ingest?.VpcConfig ? 24 * PRICE.natHour + GB_OF_SIX * PRICE.natGb : 0;
}

const vpc = { subnets: ['subnet-0123456789abcdef0'], securityGroups: ['sg-0123456789abcdef0'] };

/** Returns the dollars a day of each ceiling. */
export function ceilingsOf({
  dev,
  prod,
}: Readonly<Record<'dev' | 'prod', Stage>>): Readonly<Record<string, number>> {
  const open = { corsOrigins: ['*'] };
  const inDev = synthesize(dev);
  return {
    'the pages, at their throttles': dollarsOfPages(inDev, PAGE_KB),
    'files for everyone (`pages.publicFiles`), at their throttle': dollarsOfPages(
      synthesize({ ...dev, pages: { publicFiles: 'CC0-1.0' } }),
      PUBLIC_FILES_KB,
    ),
    'preflight requests in `dev`, with `corsOrigins`': dollarsOfPreflights(synthesize({ ...dev, ...open })),
    'preflight requests in `prod`, with `corsOrigins`': dollarsOfPreflights(synthesize({ ...prod, ...open })),
    'refused requests in `dev`, 10,000 a second': dollarsOfRefusals(inDev),
    'refused requests in `prod`, if its execution log has them': dollarsOfRefusals(synthesize(prod)),
    'refused requests with a web ACL': (ACCOUNT_RATE * SECONDS * PRICE.aclMillion) / MILLION,
    'a NAT gateway for `vpc`, six chains': dollarsOfNat(synthesize({ ...dev, vpc })),
  };
}

export function ceilingRows(stages: Readonly<Record<'dev' | 'prod', Stage>>): readonly (readonly string[])[] {
  const round = (dollars: number) =>
    dollars < 10 ? dollars.toFixed(2) : Math.round(dollars).toLocaleString('en');
  return [
    ['at most, in dollars', 'a day', 'a month'],
    ...Object.entries(ceilingsOf(stages)).map(([name, day]) => [name, round(day), round(day * DAYS)]),
  ];
}
