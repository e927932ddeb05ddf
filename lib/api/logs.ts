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
import { logGroup } from '../encrypted-resources.ts';

/** One log line per request. `$context.identity.apiKey` would log the key, which is secret, unlike its ID. */
const accessLogLine = {
  time: '$context.requestTime',
  // Error responses contain it.
  request_id: '$context.extendedRequestId',
  api_key_id: '$context.identity.apiKeyId',
  method: '$context.httpMethod',
  path: '$context.path',
  status: '$context.status',
  // Type of a gateway error, such as THROTTLED.
  error_type: '$context.error.responseType',
  latency_ms: '$context.responseLatency',
  function_latency_ms: '$context.integration.latency',
  function_error: '$context.integration.error',
  response_bytes: '$context.responseLength',
  source_ip: '$context.identity.sourceIp',
  user_agent: '$context.identity.userAgent',
};

/** Enables access and execution logs, if the stage has a log role. */
export function logOptions(scope: Construct, config: Config): StageOptions {
  if (config.apiLogRole === 'none') return {};
  return {
    accessLogDestination: new LogGroupLogDestination(logGroup(scope, 'AccessLogs', config)),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogLine)),
    ...methodLogging(config),
  };
}

/** Enables the execution log of methods. A method with options of its own inherits none from the API stage. */
export const methodLogging = ({ apiLogRole }: Pick<Config, 'apiLogRole'>): MethodDeploymentOptions =>
  // Data traces contain headers, and so keys.
  apiLogRole === 'none' ? {} : { loggingLevel: MethodLoggingLevel.ERROR, dataTraceEnabled: false };

/** Creates the log group of execution logs before API Gateway would create it, with unlimited retention. */
export function keepExecutionLogs(api: RestApi, config: Config): void {
  if (config.apiLogRole === 'none') return;
  const stage = api.deploymentStage;
  const name = `API-Gateway-Execution-Logs_${api.restApiId}/${API_STAGE}`;
  stage.node.addDependency(logGroup(api, 'ExecutionLogs', config, name));
}

/** API Gateway's stage name: part of the API's URL and of the name of its execution log. */
export const API_STAGE = 'v1';
