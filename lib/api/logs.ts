import {
  AccessLogFormat,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  type RestApi,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { logGroup } from '../log-group.ts';

/** One line for each request. `$context.identity.apiKey` would be the key itself; its ID is no secret. */
const accessLogLine = {
  time: '$context.requestTime',
  // The one that error answers name.
  request_id: '$context.extendedRequestId',
  api_key_id: '$context.identity.apiKeyId',
  method: '$context.httpMethod',
  path: '$context.path',
  status: '$context.status',
  // The gateway's name for an error of its own, such as THROTTLED.
  error_type: '$context.error.responseType',
  latency_ms: '$context.responseLatency',
  function_latency_ms: '$context.integration.latency',
  function_error: '$context.integration.error',
  response_bytes: '$context.responseLength',
  source_ip: '$context.identity.sourceIp',
  user_agent: '$context.identity.userAgent',
};

/** What API Gateway logs: nothing, unless the account has a role by which it can. */
export function logOptions(scope: Construct, config: Config): StageOptions {
  if (config.apiLogRole === 'none') return {};
  return {
    accessLogDestination: new LogGroupLogDestination(logGroup(scope, 'AccessLogs', config)),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogLine)),
    ...methodLogging(config),
  };
}

/** What is logged of the execution of a method. One with options of its own takes none of it from the stage. */
export const methodLogging = ({ apiLogRole }: Pick<Config, 'apiLogRole'>): MethodDeploymentOptions =>
  apiLogRole === 'none'
    ? {}
    : {
        loggingLevel: MethodLoggingLevel.ERROR,
        // It would log headers and bodies whole.
        dataTraceEnabled: false,
      };

/** API Gateway makes the group of the execution logs itself, without an end, unless one of just this name is there. */
export function keepExecutionLogs(api: RestApi, config: Config): void {
  if (config.apiLogRole === 'none') return;
  const stage = api.deploymentStage;
  const name = `API-Gateway-Execution-Logs_${api.restApiId}/${API_STAGE}`;
  stage.node.addDependency(logGroup(api, 'ExecutionLogs', config, name));
}

/** Part of the API's URL and, with the API's ID, of the name of its execution logs. */
export const API_STAGE = 'v1';
