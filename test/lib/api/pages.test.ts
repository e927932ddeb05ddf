import type { Template } from 'aws-cdk-lib/assertions';
import { methods, routes } from '../../../lambda/api/routes.ts';
import { pagePaths } from '../../../lambda/pages/paths.ts';
import { nameOf, propertiesOf, templateOf, theOnly } from '../../support/stack.ts';

const template = templateOf();
const withAuthorizer = templateOf({
  authorizerFunctionArn: 'arn:aws:lambda:eu-central-1:111122223333:function:allow',
});

/** What a request of each method must bring, by the last part of its path. */
function demandsOf(given: Template) {
  const resources = given.findResources('AWS::ApiGateway::Resource');
  return propertiesOf(given, 'AWS::ApiGateway::Method').map(
    ({ HttpMethod, ResourceId, ApiKeyRequired, AuthorizationType }) => [
      `${HttpMethod} ${resources[nameOf(ResourceId)]?.Properties.PathPart ?? '/'}`,
      { ApiKeyRequired, AuthorizationType },
    ],
  );
}

const lastPart = (path: string) => path.split('/').at(-1) || '/';

test.each([
  ['no authorizer', template, 'NONE'],
  ['one', withAuthorizer, 'CUSTOM'],
])('with %s pages ask for nothing, and the routes for all that they did', (_, given, AuthorizationType) => {
  expect(Object.fromEntries(demandsOf(given))).toEqual({
    ...Object.fromEntries(
      pagePaths.map((path) => [
        `GET ${lastPart(path)}`,
        { ApiKeyRequired: false, AuthorizationType: 'NONE' },
      ]),
    ),
    ...Object.fromEntries(
      routes.flatMap(({ path }) =>
        methods.map((method) => [`${method} ${lastPart(path)}`, { ApiKeyRequired: true, AuthorizationType }]),
      ),
    ),
  });
});

test.each([{}, { apiLogRole: 'existing' }] as const)(
  'with %p each has a limit and logs of its own',
  (stage) => {
    const { MethodSettings } = theOnly(templateOf(stage), 'AWS::ApiGateway::Stage');
    const [ofAll, ...ofPages] = MethodSettings;
    expect(ofAll).toMatchObject({ ResourcePath: '/*', HttpMethod: '*', ThrottlingRateLimit: 100 });
    expect(ofPages).toEqual(
      ['/', '/~1docs', '/~1openapi.json', '/~1assets~1{file}'].map((ResourcePath) => ({
        ...ofAll,
        ResourcePath,
        HttpMethod: 'GET',
        ThrottlingRateLimit: 2,
        ThrottlingBurstLimit: 100,
      })),
    );
  },
);

test('one function answers them all, knows no table, and may be invoked by them only', () => {
  const [pages, ...others] = propertiesOf(template, 'AWS::Lambda::Function').filter(
    ({ Environment }) => Environment.Variables.SITE_FOLDER,
  );
  expect(others).toEqual([]);
  expect(pages?.Environment.Variables).toEqual({ SITE_FOLDER: 'site' });
  const paths = propertiesOf(template, 'AWS::Lambda::Permission')
    .filter(({ FunctionName }) => nameOf(FunctionName).startsWith('Apipages'))
    .map(({ Principal, SourceArn }) => [Principal, nameOf(SourceArn).replace(/^.*\/GET/, '')]);
  expect(paths).toEqual(
    ['/', '/docs', '/openapi.json', '/assets/*'].map((path) => ['apigateway.amazonaws.com', path]),
  );
});

test('a stage that wants none has neither the paths nor the function', () => {
  const without = templateOf({ pages: false });
  expect(JSON.stringify(without.toJSON())).not.toMatch(/\{file\}|SITE_FOLDER/);
  expect(theOnly(without, 'AWS::ApiGateway::Stage').MethodSettings).toHaveLength(1);
});
