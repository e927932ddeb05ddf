import { isDeepStrictEqual, types } from 'node:util';
import {
  GetParameterCommand,
  ParameterNotFound,
  SSMClient,
  type SSMClientConfig,
  SSMServiceException,
} from '@aws-sdk/client-ssm';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { Chain } from '../chains/chains.ts';
import { HOST_PATTERN } from '../figures/day-figures.ts';
import { endpointOf, optionProblem, secretEndpoints, splitUrls } from './endpoint.ts';
import { createUpstream, type Upstream } from './upstream.ts';

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
  constructor(parameter: string, problem: string, isTransient = false) {
    super(`The parameter ${parameter} ${problem}`);
    this.isTransient = isTransient;
  }
}

/** Reads the URLs of a parameter, in order. @throws ParameterError when it has none, or one that is not valid */
export async function readEndpointUrls(client: SSMClient, parameter: string): Promise<readonly string[]> {
  const get = new GetParameterCommand({ Name: parameter, WithDecryption: true });
  const { Parameter: { Type, Value = '' } = {} } = await client.send(get).catch((error: unknown) => {
    throw parameterError(parameter, error);
  });
  const refused = (problem: string) => new ParameterError(parameter, problem);
  if (Type !== 'SecureString')
    throw refused(`is of type ${Type}, which is not encrypted. Delete it and create it as a SecureString.`);
  const entries = splitUrls(Value);
  if (entries.length === 0)
    throw refused('is empty. Set it to the URLs of endpoints, separated by commas or new lines.');
  return entries.map((entry, index) => {
    const url = URL.parse(entry);
    // Without TLS, anyone on the network could read the key and change the figures.
    const isHttps = url?.protocol === 'https:' && HOST_PATTERN.test(url.host);
    const problem = isHttps ? optionProblem(url) : 'is not an https URL';
    if (url && problem === undefined) return url.href;
    throw refused(`is not valid: entry ${index + 1} of ${entries.length} ${problem}. Correct it.`);
  });
}

type SdkError = Parameters<typeof isTransientError>[0];

const isTransientFailure = (error: SdkError) => isThrottlingError(error) || isTransientError(error);

function parameterError(parameter: string, error: unknown): ParameterError {
  const failed = (problem: string, isTransient = false) =>
    new ParameterError(parameter, problem, isTransient);
  if (error instanceof ParameterNotFound)
    return failed(
      'does not exist in this account and region. Create it as a SecureString with the URLs of endpoints.',
    );
  const isRefused = error instanceof SSMServiceException && error.$fault === 'client';
  // The service rejected the request without reading the value, and its message names the missing permission.
  if (isRefused && !isTransientFailure(error as SdkError))
    return failed(
      `cannot be read (${error.name}, ${error.message}). Check its name, and allow the ingest ssm:GetParameter on it and kms:Decrypt with its key.`,
    );
  // Its message may quote a response that did not parse, and so the value.
  const name = !types.isNativeError(error) ? typeof error : 'code' in error ? error.code : error.name;
  return failed(`cannot be read now (${name}). The next run tries again.`, true);
}

/**
 * Returns a function that gives the endpoints of a chain: those in a parameter, or the public ones if it has no parameter. It reads the
 * parameter for every run, so a run always uses the current URLs, and keeps the health of endpoints until their URLs change.
 */
export function createKnownUpstreams(
  parameters: SSMClient,
): (chain: Chain, parameter: string | undefined) => Promise<readonly Upstream[]> {
  const known = new Map<string, { urls: readonly string[]; upstreams: readonly Upstream[] }>();

  /** @throws ParameterError, unless the failure is transient and earlier URLs are known */
  return async (chain: Chain, parameter: string | undefined): Promise<readonly Upstream[]> => {
    const key = `${chain.name} ${parameter}`;
    const before = known.get(key);
    const read = async () =>
      parameter === undefined ? chain.publicEndpoints : readEndpointUrls(parameters, parameter);
    const urls = await read().catch((error: unknown) => {
      const isTransient = error instanceof ParameterError && error.isTransient;
      // Deleting a parameter revokes its URLs, so a later transient failure must not use them either.
      if (!isTransient) known.delete(key);
      if (!isTransient || !before) throw error;
      console.warn({ chain: chain.name, problem: 'using the last known endpoints', reason: error.message });
      return before.urls;
    });
    if (before && isDeepStrictEqual(urls, before.urls)) return before.upstreams;
    const endpoints =
      parameter === undefined ? urls.map((url) => endpointOf(chain, url)) : secretEndpoints(chain, urls);
    const upstreams = endpoints.map(createUpstream);
    known.set(key, { urls, upstreams });
    return upstreams;
  };
}
