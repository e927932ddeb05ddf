import { Stack } from 'aws-cdk-lib';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { ServiceFunction } from '../service-function.ts';

/** Queries for graphs that no alarm needs: a metric costs for each chain and month, and a query only when someone looks. */
export const graphQueries = {
  'Failed runs an hour': 'filter ispresent(message.reason) | stats count(*) by bin(1h), message.chain',
  'Hours behind the newest final block':
    'filter ispresent(message.lagSeconds) | stats min(message.lagSeconds) / 3600 by bin(30m), message.chain',
  'Blocks an hour': 'filter ispresent(message.outcome) | stats sum(message.blocks) by bin(1h), message.chain',
  'Faults of nodes':
    'filter ispresent(message.faultCount) | stats sum(message.faultCount) as faults by message.chain, message.endpoint, message.kind | sort faults desc',
  // From the report that Lambda logs after each invocation.
  'GB-seconds an hour':
    'filter type = "platform.report" | stats sum(record.metrics.billedDurationMs * record.metrics.memorySizeMB) / 1024000 as gb_seconds by bin(1h)',
} as const;

/** Queries of the ingest's log for people, which docs/operate/runbook.md names. */
const ingestQueries = {
  'Failed runs':
    'filter ispresent(message.reason) | fields @timestamp, message.chain, message.outcome, message.reason | sort @timestamp desc | limit 50',
  'Runs of a chain':
    'filter message.chain = "ETHEREUM" and ispresent(message.outcome) | fields @timestamp, message.outcome, message.blocks, ' +
    'message.blocksPerSecond, message.lagSeconds, message.headAgeSeconds, message.reason | sort @timestamp desc | limit 50',
} as const;

const apiQueries = {
  'Errors of the API':
    'filter level = "ERROR" | fields @timestamp, @log, requestId, message.chain, message.date, @message | sort @timestamp desc | limit 50',
} as const;

/** Saves the queries in the account, in a folder named after the stack. */
export function saveQueries(scope: Construct, ingest: ServiceFunction, api: readonly ServiceFunction[]) {
  const save = (queries: Readonly<Record<string, string>>, logs: readonly ServiceFunction[]) => {
    for (const [title, query] of Object.entries(queries)) {
      new CfnQueryDefinition(scope, `Query-${title.replaceAll(' ', '')}`, {
        name: `${Stack.of(scope).stackName}/${title}`,
        queryString: linesOf(query),
        logGroupNames: logs.map(({ logGroup }) => logGroup.logGroupName),
      });
    }
  };
  save(ingestQueries, [ingest]);
  save(apiQueries, api);
}

/** Puts each command on a line of its own, for people. */
const linesOf = (query: string): string => query.replaceAll(' | ', '\n| ');
