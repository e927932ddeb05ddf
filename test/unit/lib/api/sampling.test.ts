import { Template } from 'aws-cdk-lib/assertions';
import { stackOf, templateOf, theOnly } from '#test/support/stack.ts';

const template = templateOf();

const modes = (given: Template) =>
  Object.entries(given.findResources('AWS::Lambda::Function')).map(([id, { Properties }]) => [
    id.replace(/.{8}$/, ''),
    Properties.TracingConfig?.Mode,
  ]);

test('samples the API: the first request of each second, and one percent of the others', () => {
  expect(Object.fromEntries(modes(template))).toEqual({
    IngestFunction: undefined,
    ApigettransactioncountFunction: 'Active',
    ApigetfeesFunction: 'Active',
    ApigetdetailsFunction: 'Active',
    ApipagesFunction: 'Active',
  });
  expect(theOnly(template, 'AWS::ApiGateway::Stage').TracingEnabled).toBe(true);
  expect(theOnly(template, 'AWS::XRay::SamplingRule').SamplingRule).toMatchObject({
    FixedRate: 0.01,
    ReservoirSize: 1,
    ServiceName: 'Test/v1',
    ServiceType: 'AWS::ApiGateway::Stage',
  });
});

test('keeps the limits of X-Ray for names, however long that of the stack', () => {
  const long = Template.fromStack(stackOf({}, undefined, 'Figures'.repeat(18)));
  const { RuleName, ServiceName } = theOnly(long, 'AWS::XRay::SamplingRule').SamplingRule;
  expect(ServiceName).toBe(`${'Figures'.repeat(9)}*`);
  expect(RuleName.length).toBeLessThanOrEqual(32);
});

test('records nothing when it is off', () => {
  const off = templateOf({ tracing: false });
  expect(modes(off).filter(([, mode]) => mode)).toEqual([]);
  expect(theOnly(off, 'AWS::ApiGateway::Stage').TracingEnabled).toBe(false);
  expect(theOnly(off, 'AWS::StepFunctions::StateMachine').TracingConfiguration?.Enabled ?? false).toBe(false);
  expect(JSON.stringify(off.toJSON())).not.toMatch(/xray|XRay/);
});
