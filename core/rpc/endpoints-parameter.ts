import { types } from 'node:util';
import {
  GetParameterCommand,
  ParameterNotFound,
  SSMClient,
  type SSMClientConfig,
  SSMServiceException,
} from '@aws-sdk/client-ssm';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import { HOST_PATTERN } from '../figures/day-figures.ts';
import { optionProblem, splitUrls } from './endpoint.ts';

/** Creates a client of the parameter store. The SDK itself honours AWS_REGION and AWS_ENDPOINT_URL_SSM. */
export const createParameterStore = (config: SSMClientConfig = {}): SSMClient =>
  new SSMClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 1_000, throwOnRequestTimeout: true },
    ...config,
  });

/** A parameter has no usable endpoints. The message contains no part of its value. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
  /** True if the service failed, rather than the parameter. Then its last value may still be used. */
  readonly isTransient: boolean;

  // Without a cause, because an SDK error may contain the response, and so the value.
  constructor(parameter: string, problem: string, { isTransient = false } = {}) {
    super(`The parameter ${parameter} ${problem}`);
    this.isTransient = isTransient;
  }
}

/**
 * Reads the URLs of endpoints from a parameter, in order.
 * @throws ParameterError when it has none, or one that is not valid
 */
export async function readEndpointUrls(client: SSMClient, parameter: string): Promise<readonly string[]> {
  const get = new GetParameterCommand({ Name: parameter, WithDecryption: true });
  const { Parameter: { Type, Value = '' } = {} } = await client.send(get).catch((error: unknown) => {
    throw parameterError(parameter, error);
  });
  if (Type !== 'SecureString') {
    const problem = `is of type ${Type}, which is not encrypted. Delete it and create it as a SecureString.`;
    throw new ParameterError(parameter, problem);
  }
  const entries = splitUrls(Value);
  if (entries.length === 0) {
    const problem = 'is empty. Set it to the URLs of endpoints, separated by commas or new lines.';
    throw new ParameterError(parameter, problem);
  }
  return entries.map((entry, index) => {
    const url = URL.parse(entry);
    // Without TLS, anyone on the network could read the key and change the figures.
    const isHttps = url?.protocol === 'https:' && HOST_PATTERN.test(url.host);
    const problem = isHttps ? optionProblem(url) : 'is not an https URL';
    if (url && problem === undefined) return url.href;
    throw new ParameterError(
      parameter,
      `is not valid: entry ${index + 1} of ${entries.length} ${problem}. Correct it.`,
    );
  });
}

function parameterError(parameter: string, error: unknown): ParameterError {
  if (error instanceof ParameterNotFound) {
    const problem =
      'does not exist in this account and region. Create it as a SecureString with the URLs of endpoints.';
    return new ParameterError(parameter, problem);
  }
  if (isAboutTheRequest(error)) {
    // The service rejected the request without reading the value, and its message names the missing permission.
    const reason = `${error.name}, ${error.message}`;
    const advice =
      'Check its name, and allow the ingest ssm:GetParameter on it and kms:Decrypt with its key.';
    return new ParameterError(parameter, `cannot be read (${reason}). ${advice}`);
  }
  const problem = `cannot be read now (${nameOf(error)}). The next run tries again.`;
  return new ParameterError(parameter, problem, { isTransient: true });
}

const isAboutTheRequest = (error: unknown): error is SSMServiceException =>
  error instanceof SSMServiceException && error.$fault === 'client' && !isTransientFailure(error as SdkError);

type SdkError = Parameters<typeof isTransientError>[0];

const isTransientFailure = (error: SdkError) => isThrottlingError(error) || isTransientError(error);

/** Returns the name of an SDK error. Its message may quote a response that did not parse, and so the value. */
function nameOf(error: unknown): string {
  if (!types.isNativeError(error)) return typeof error;
  return 'code' in error ? String(error.code) : error.name;
}
