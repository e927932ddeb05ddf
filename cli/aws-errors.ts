import { types } from 'node:util';

/**
 * What is to be done about an error of AWS or of the way there, for those that every command may meet.
 * @returns undefined for any other error
 */
export function awsAdvice(error: unknown): string | undefined {
  if (!types.isNativeError(error)) return undefined;
  const { name, message } = error;
  if (name === 'CredentialsProviderError' || name === 'TokenProviderError') {
    return `There are no AWS credentials to use (${message}): set AWS_PROFILE, or sign in as for the AWS CLI.`;
  }
  if (/^Region (is missing|not accepted)/.test(message)) {
    return `It is not known which AWS region is meant (${message}): set AWS_REGION, or env in the file of the stage.`;
  }
  if (/^(ExpiredToken|InvalidClientTokenId|UnrecognizedClient|InvalidSignature|RequestExpired)/.test(name)) {
    return `AWS does not accept these credentials (${name}, ${message}): sign in again.`;
  }
  if (/AccessDenied|NotAuthorized|UnauthorizedOperation/.test(name)) {
    return `These AWS credentials may not do this (${message}): docs/operations.md lists what each command needs.`;
  }
  if (
    'code' in error &&
    /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT)$/.test(String(error.code))
  ) {
    return `AWS cannot be reached (${message}): check the network and the region.`;
  }
  return undefined;
}
