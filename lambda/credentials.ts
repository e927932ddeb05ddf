/**
 * Replaces the SDK's credential search in the bundles. Lambda sets the role's credentials in the environment, except with
 * SnapStart, which AWS does not offer for Node.
 * https://docs.aws.amazon.com/lambda/latest/dg/snapstart-activate.html#snapstart-credentials
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
