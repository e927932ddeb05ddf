import type { Template } from 'aws-cdk-lib/assertions';
import { defaultChainNames } from '#core/chains/chains.ts';
import { routes } from '#lambda/api/routes.ts';
import { pageMethods, pagePaths } from '#lambda/pages/paths.ts';
import { nameOf, propertiesOf, templateOf, theOnly } from '#test/support/aws/stack.ts';

const template = templateOf();
const withAuthorizer = templateOf({
  authorizerFunctionArn: 'arn:aws:lambda:eu-central-1:111122223333:function:allow',
});

/** Returns each method's authorization, by the last part of its path. */
function authorizationOf(given: Template) {
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
  ['an authorizer', withAuthorizer, 'CUSTOM'],
])('with %s, pages need no authorization and routes keep theirs', (_, given, AuthorizationType) => {
  expect(Object.fromEntries(authorizationOf(given))).toEqual({
    ...Object.fromEntries(
      pagePaths.flatMap((path) =>
        pageMethods.map((method) => [
          `${method} ${lastPart(path)}`,
          { ApiKeyRequired: false, AuthorizationType: 'NONE' },
        ]),
      ),
    ),
    ...Object.fromEntries(
      routes.flatMap(({ path, methods }) =>
        methods.map((method) => [`${method} ${lastPart(path)}`, { ApiKeyRequired: true, AuthorizationType }]),
      ),
    ),
  });
});

test.each([{}, { apiLogRole: 'existing' }] as const)(
  'with %p, throttles and logs each page separately',
  (stage) => {
    const { MethodSettings } = theOnly(templateOf(stage), 'AWS::ApiGateway::Stage');
    const [ofAll, ...ofPages] = MethodSettings;
    expect(ofAll).toMatchObject({ ResourcePath: '/*', HttpMethod: '*', ThrottlingRateLimit: 100 });
    expect(ofPages).toEqual(
      pagePaths
        .map((path) => (path === '/' ? path : `/${path.replaceAll('/', '~1')}`))
        .flatMap((ResourcePath) => {
          const isOther = ResourcePath === '/~1{proxy+}';
          return pageMethods.map((HttpMethod) => ({
            ...ofAll,
            ResourcePath,
            HttpMethod,
            ThrottlingRateLimit: isOther ? 1 : 20,
            ThrottlingBurstLimit: isOther ? 50 : 400,
          }));
        }),
    );
  },
);

test('serves all pages from one function, which has no table and which only they may invoke', () => {
  const [pages, ...others] = propertiesOf(template, 'AWS::Lambda::Function').filter(
    ({ Environment }) => Environment.Variables.SITE_FOLDER,
  );
  expect(others).toEqual([]);
  expect(pages?.Environment.Variables).toEqual({
    SITE_FOLDER: 'site',
    OFFERED_CHAINS: defaultChainNames.join(','),
  });
  const paths = propertiesOf(template, 'AWS::Lambda::Permission')
    .filter(({ FunctionName }) => nameOf(FunctionName).startsWith('Apipages'))
    .map(({ Principal, SourceArn }) => [Principal, nameOf(SourceArn).replace(/^.*\/(?=GET|HEAD)/, '')]);
  expect(paths).toEqual(
    pagePaths.flatMap((page) =>
      pageMethods.map((method) => ['apigateway.amazonaws.com', `${method}${page.replace(/\{.*\}/, '*')}`]),
    ),
  );
});

test('lets the function read the one object with the days that a stage opens, and nothing without them', () => {
  const open = templateOf({ pages: { publicDays: 30 } });
  const allowed = (given: Template) =>
    propertiesOf(given, 'AWS::IAM::Policy')
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .filter(({ Action }) => Action === 's3:GetObject')
      .map(({ Resource }) => nameOf(Resource));
  expect(allowed(open)).toEqual(expect.arrayContaining([expect.stringMatching(/\/public\/days\.json$/)]));
  expect(allowed(template).join()).not.toContain('public/days.json');
  expect(
    propertiesOf(open, 'AWS::Lambda::Function').flatMap(({ Environment }) =>
      Environment.Variables.PUBLIC_DAYS ? [Environment.Variables.PUBLIC_DAYS] : [],
    ),
  ).toEqual(['30']);
});

test('opens files with all days at a throttle of their own, and their folder to two functions, where a stage says so', () => {
  const open = templateOf({ pages: { publicFiles: 'CC0-1.0' } });
  const { MethodSettings } = theOnly(open, 'AWS::ApiGateway::Stage');
  const ofFiles = MethodSettings.filter(({ ResourcePath }: { ResourcePath: string }) =>
    ResourcePath.startsWith('/~1public'),
  );
  const limits = { ResourcePath: '/~1public~1{file}', ThrottlingRateLimit: 1, ThrottlingBurstLimit: 50 };
  expect(ofFiles).toEqual(
    pageMethods.map((HttpMethod) => expect.objectContaining({ ...limits, HttpMethod })),
  );
  const allowed = propertiesOf(open, 'AWS::IAM::Policy')
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .filter(({ Resource }) => nameOf(Resource).endsWith('/public/*'));
  expect(allowed.map(({ Action }) => Action).toSorted()).toEqual(['s3:GetObject', 's3:PutObject']);
  const variables = propertiesOf(open, 'AWS::Lambda::Function').map(
    ({ Environment }) => Environment.Variables,
  );
  expect(variables.map(({ PUBLIC_FILES }) => PUBLIC_FILES).filter(Boolean)).toEqual(['CC0-1.0']);
  expect(variables.filter(({ PUBLIC_FILES_BUCKET }) => PUBLIC_FILES_BUCKET)).toHaveLength(1);
});

test.each([
  [undefined, ['*/*']],
  [false, undefined],
] as const)('with pages %p, takes %p as binary, so that the function may compress', (pages, types) => {
  const api = theOnly(templateOf({ pages }), 'AWS::ApiGateway::RestApi');
  expect(api.BinaryMediaTypes).toEqual(types);
  expect(api.MinimumCompressionSize).toBe(1_024);
});
