import { EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { output } from '../output.ts';

/** Returns whether callers reach the API at its domain alone. The CDK option keepExecuteApi leaves both addresses open while they move. */
export const servesDomainAlone = (
  scope: Construct,
  { customDomain }: Pick<Config, 'customDomain'>,
): boolean => customDomain !== undefined && !scope.node.tryGetContext('keepExecuteApi');

/** Returns the URL of the API, with a slash at its end: that of its domain, if it serves that alone. */
export const urlOf = (api: RestApi, config: Pick<Config, 'customDomain'>): string =>
  servesDomainAlone(api, config) ? `https://${config.customDomain?.name}/` : api.url;

/** Serves the API under a custom domain name, without the API stage in its paths. */
export function addCustomDomain(api: RestApi, { name, certificateArn }: NonNullable<Config['customDomain']>) {
  const domain = api.addDomainName('Domain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(api, 'Certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  output(api, 'CustomDomainTarget', domain.domainNameAliasDomainName, `Target of the DNS record for ${name}`);
}
