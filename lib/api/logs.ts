import { type MethodDeploymentOptions, MethodLoggingLevel, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Config } from '../config.ts';
import { logGroup } from '../encrypted-resources.ts';

/** Enables the execution log of methods. A method with options of its own inherits none from the API stage. */
export const methodLogging = ({ apiLogRole }: Pick<Config, 'apiLogRole'>): MethodDeploymentOptions =>
  // Data traces contain headers, and so keys.
  apiLogRole === 'none' ? {} : { loggingLevel: MethodLoggingLevel.ERROR, dataTraceEnabled: false };

/** Lets functions log the calls that reach them. API Gateway counts those that it refuses in `4XXError`, free of charge. */
export const callLogging = ({ apiLogRole }: Pick<Config, 'apiLogRole'>) =>
  apiLogRole === 'none' ? {} : { accessLog: 'yes' };

/** Creates the log group of execution logs before API Gateway would create it, with unlimited retention. */
export function keepExecutionLogs(api: RestApi, config: Config): void {
  if (config.apiLogRole === 'none') return;
  const stage = api.deploymentStage;
  const name = `API-Gateway-Execution-Logs_${api.restApiId}/${API_STAGE}`;
  stage.node.addDependency(logGroup(api, 'ExecutionLogs', config, name));
}

/** API Gateway's stage name: part of the API's URL and of the name of its execution log. */
export const API_STAGE = 'v1';
