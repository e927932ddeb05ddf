import { EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Config } from '../config.ts';
import { output } from '../output.ts';

/** Returns the URL of the API, with a slash at its end: that of its domain, if it has one that callers reach for certain. */
export const urlOf = (api: RestApi, { customDomain }: Pick<Config, 'customDomain'>): string =>
  customDomain?.keepExecuteApi === false ? `https://${customDomain.name}/` : api.url;

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
