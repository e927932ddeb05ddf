/* Must not import aws-cdk-lib: the command line writes the parameter that the stack reads. */

/** Returns the name of the SSM SecureString with the probe's key. The command `keys probe` writes it. */
export const probeKeyParameter = (stackName: string): string => `/chain-insights/${stackName}/probe-key`;
