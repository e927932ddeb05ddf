/**
 * What the bundles have in the place of the SDK's search for credentials: Lambda gives a function those of its role in its
 * environment. It has others only with SnapStart, which AWS does not offer for Node.
 * https://docs.aws.amazon.com/lambda/latest/dg/snapstart-activate.html#snapstart-credentials
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
