import { chosenTargets, targetsOfEnvironment, targetsOfStage } from '../../../cli/doctor/targets.ts';
import { chainNames } from '../../../lambda/chains/chains.ts';
import { startOfDay } from '../../../lambda/chains/utc-day.ts';
import { type AwsService, parameter, startAwsService, type Told } from '../../support/aws-service.ts';

jest.mock('../../../lib/stages.ts', () => ({
  stages: {
    test: {
      chains: {
        BASE: { endpointsParameter: '/nodes/base', startDate: '2020-01-01', confirmations: 7 },
        BSC: { enabled: false },
      },
    },
  },
}));

const now = startOfDay('2026-11-21') + 5;
const of = (environment: Record<string, string>) => targetsOfEnvironment(environment, now);
const hostsOf = async (targets: ReturnType<typeof of>, name: string) =>
  (await targets.find((target) => target.name === name)?.openEndpoints())?.map(({ host }) => host);

test('chains that the environment names no nodes for are looked at with their public ones', async () => {
  const targets = of({
    RPC_URLS_BASE: 'https://key.a.example/v1,https://b.example',
    CONFIRMATIONS_BASE: '20',
  });
  expect(targets.map(({ name }) => name)).toEqual(chainNames);
  expect(await hostsOf(targets, 'BASE')).toEqual(['a.example', 'b.example']);
  expect(await hostsOf(targets, 'ETHEREUM')).toEqual(['ethereum-rpc.publicnode.com', 'eth.drpc.org']);
  expect(targets.find(({ name }) => name === 'BASE')).toMatchObject({
    from: '2026-11-14',
    confirmations: 20,
  });
});

test('they are looked at from the start date on, but not from before the chain', () => {
  const targets = of({ INGEST_START_DATE: '2020-01-01' });
  const from = Object.fromEntries(targets.map((target) => [target.name, target.from]));
  expect(from).toMatchObject({ ETHEREUM: '2020-01-01', BSC: '2020-08-29', BASE: '2023-06-15' });
});

test('given nodes take the place of those of the one chain', async () => {
  const chosen = chosenTargets(of({}), ['BASE'], ['https://c.example/key']);
  expect(chosen).toHaveLength(1);
  expect(await hostsOf([...chosen], 'BASE')).toEqual(['c.example']);
  expect(chosenTargets(of({}), ['BASE', 'BASE'], [])).toHaveLength(1);
});

test.each([
  [undefined, /say which with --chain/],
  [['BASE', 'BSC'] as const, /say which with --chain/],
])('given nodes of %j are nobody’s', (names, message) => {
  expect(() => chosenTargets(of({}), names, ['https://c.example'])).toThrow(message);
});

test('an environment that npm start would refuse is refused', () => {
  expect(() => of({ RPC_URLS_BASE: 'secret' })).toThrow(
    'The environment is not valid: RPC_URLS_BASE must be http or https URLs, separated by commas.',
  );
});

describe('a stage', () => {
  const before = process.env;
  let service: AwsService;
  let told: Told;
  beforeEach(async () => {
    service = await startAwsService(() => told);
    process.env = {
      ...before,
      AWS_ENDPOINT_URL_SSM: service.url,
      ...{ AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' },
    };
  });
  afterEach(async () => {
    process.env = before;
    await service[Symbol.asyncDispose]();
  });

  const targets = () => targetsOfStage('test');

  test('names its chains, from which day on, and where that is written', () => {
    const names = chainNames.filter((name) => name !== 'BSC');
    expect(targets().map(({ name }) => name)).toEqual(names);
    expect(targets().find(({ name }) => name === 'BASE')).toMatchObject({
      ...{ from: '2023-06-15', confirmations: 7 },
      settings: { from: 'chains.BASE.startDate in lib/stages/test.ts' },
    });
    expect(() => chosenTargets(targets(), ['BSC'], [])).toThrow(
      `This configuration does not ingest BSC; it has ${names.join(', ')}.`,
    );
  });

  test('has its URLs in a parameter, read with the credentials at hand', async () => {
    told = parameter('SecureString', 'https://key.a.example/v1');
    expect(await hostsOf(targets(), 'BASE')).toEqual(['a.example']);
    expect(service.requests).toMatchObject([{ body: { Name: '/nodes/base', WithDecryption: true } }]);
    expect(await hostsOf(targets(), 'POLYGON')).toEqual([
      'polygon-bor-rpc.publicnode.com',
      'polygon.drpc.org',
    ]);
  });

  test('whose parameter cannot be used says why', async () => {
    told = parameter('String', 'https://key.a.example/v1');
    await expect(hostsOf(targets(), 'BASE')).rejects.toThrow(
      'The parameter /nodes/base is of type String, which keeps no secret',
    );
  });
});
