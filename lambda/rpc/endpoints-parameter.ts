import { types } from 'node:util';
import {
  GetParameterCommand,
  type Parameter,
  ParameterNotFound,
  SSMClient,
  type SSMClientConfig,
  SSMServiceException,
} from '@aws-sdk/client-ssm';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';

/** Opens the parameter store. The SDK itself honours AWS_REGION and AWS_ENDPOINT_URL_SSM. */
export const openParameters = (config: SSMClientConfig = {}): SSMClient =>
  new SSMClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 1_000, throwOnRequestTimeout: true },
    ...config,
  });

/** Why a parameter gives no endpoints and what to do, without any part of its value. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
  /** Whether nothing is wrong with the parameter itself, as far as is known: its value of before may still be used. */
  readonly isPassing: boolean;

  // It has no cause: an error of the SDK may carry the answer that it could not read, and the value with it.
  constructor(parameter: string, problem: string, { isPassing = false } = {}) {
    super(`The parameter ${parameter} ${problem}`);
    this.isPassing = isPassing;
  }
}

/**
 * The URLs of endpoints that a parameter holds, in their order.
 * @throws ParameterError when there are none, or when any of them is none
 */
export async function readEndpointUrls(client: SSMClient, parameter: string): Promise<readonly string[]> {
  const { Type, Value = '' } = await getParameter(client, parameter);
  if (Type !== 'SecureString') {
    const problem = `is of type ${Type}, which keeps no secret: delete it and create it anew as a SecureString`;
    throw new ParameterError(parameter, problem);
  }
  const entries = Value.split(/[\s,]+/).filter(Boolean);
  if (entries.length === 0) {
    const problem = 'is empty: put the URLs of endpoints into it, separated by commas or new lines';
    throw new ParameterError(parameter, problem);
  }
  return entries.map((entry, index) => {
    const url = URL.parse(entry);
    // Without TLS, anybody on the way could read the key, and write the figures.
    if (url?.protocol === 'https:') return url.href;
    const problem = `cannot be used: entry ${index + 1} of ${entries.length} is not an https URL, mend it`;
    throw new ParameterError(parameter, problem);
  });
}

async function getParameter(client: SSMClient, name: string): Promise<Parameter> {
  try {
    const { Parameter = {} } = await client.send(
      new GetParameterCommand({ Name: name, WithDecryption: true }),
    );
    return Parameter;
  } catch (error) {
    throw refusalOf(name, error);
  }
}

function refusalOf(parameter: string, error: unknown): ParameterError {
  if (error instanceof ParameterNotFound) {
    const problem = 'does not exist here: create it as a SecureString with the URLs of endpoints';
    return new ParameterError(parameter, problem);
  }
  if (isAboutTheRequest(error)) {
    // The service refused before it had a value, so this holds none; and it says which action lacks permission.
    const reason = `${error.name}, ${error.message}`;
    const advice =
      'check its name, and that the ingest may ssm:GetParameter it and kms:Decrypt with the key that encrypts it';
    return new ParameterError(parameter, `cannot be read (${reason}): ${advice}`);
  }
  const problem = `cannot be read for now (${nameOf(error)}): the next run tries again`;
  return new ParameterError(parameter, problem, { isPassing: true });
}

const isAboutTheRequest = (error: unknown): error is SSMServiceException =>
  error instanceof SSMServiceException && error.$fault === 'client' && !mayPass(error as SdkError);

type SdkError = Parameters<typeof isTransientError>[0];

const mayPass = (error: SdkError) => isThrottlingError(error) || isTransientError(error);

/** What is safe to show of an error of the SDK: the message of one that could not read an answer quotes it. */
function nameOf(error: unknown): string {
  if (!types.isNativeError(error)) return typeof error;
  return 'code' in error ? String(error.code) : error.name;
}
