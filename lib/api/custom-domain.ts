import { CfnOutput } from 'aws-cdk-lib';
import { EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import type { Config } from '../config.ts';

/** Serves the API under a custom domain name, without the API stage in its paths. */
export function addCustomDomain(api: RestApi, custom: NonNullable<Config['customDomain']>): void {
  const { name, certificateArn, hostedZone } = custom;
  const domain = api.addDomainName('Domain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(api, 'Certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  new CfnOutput(api, 'CustomDomainTarget', {
    key: 'CustomDomainTarget',
    value: domain.domainNameAliasDomainName,
    description: `Target of the DNS record for ${name}`,
  });
  if (!hostedZone) return;
  const zone = HostedZone.fromHostedZoneAttributes(api, 'Zone', {
    hostedZoneId: hostedZone.id,
    zoneName: hostedZone.name,
  });
  const target = RecordTarget.fromAlias(new ApiGatewayDomain(domain));
  new ARecord(api, 'Record', { zone, recordName: `${name}.`, target });
}
