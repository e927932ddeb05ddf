import { chooseTargets, targetsOfEnvironment, targetsOfStage } from '#cli/doctor/targets.ts';
import { type ChainName, defaultChainNames } from '#core/chains/chains.ts';
import { ETHEREUM_BEACON } from '#core/chains/finality-rules.ts';
import { startOfDay } from '#core/figures/calendar.ts';
import {
  type AwsEndpoint,
  type AwsResponse,
  parameter,
  startAwsEndpoint,
} from '#test/support/servers/aws-endpoint.ts';

/** A declaration, since mocks come before the imports. */
function mockBeacon() {
  return jest.requireActual<typeof import('#core/chains/finality-rules.ts')>(
    '#core/chains/finality-rules.ts',
  );
}

jest.mock('#lib/stages/stages.ts', () => ({
  stages: {
    test: {
      chains: {
        BASE: { endpointsParameter: '/nodes/base', startDate: '2020-01-01', confirmations: 7, quorum: 3 },
        BSC: { enabled: false },
        ETHEREUM: { beacon: { network: { ...mockBeacon().ETHEREUM_BEACON, committeeSize: 32 } } },
      },
    },
  },
}));

const now = startOfDay('2026-11-21') + 5;
const of = (environment: Record<string, string>, also?: readonly ChainName[]) =>
  targetsOfEnvironment(environment, now, also);
const hostsOf = async (targets: ReturnType<typeof of>, name: string) =>
  (await targets.find((target) => target.name === name)?.readEndpoints())?.map(({ host }) => host);

test('checks the public endpoints of chains without endpoints in the environment', async () => {
  const targets = of({
    RPC_URLS_BASE: 'https://key.a.example/v1,https://b.example',
    CONFIRMATIONS_BASE: '20',
    QUORUM_BASE: '2',
  });
  expect(targets.map(({ name }) => name)).toEqual(defaultChainNames);
  const more = of({}, ['UNICHAIN']).map(({ name }) => name);
  expect(more).toEqual([...defaultChainNames, 'UNICHAIN']);
  expect(await hostsOf(targets, 'BASE')).toEqual(['a.example', 'b.example']);
  expect(await hostsOf(targets, 'ETHEREUM')).toEqual([
    'ethereum-rpc.publicnode.com',
    'eth.drpc.org',
    'mainnet.gateway.tenderly.co',
  ]);
  expect(targets.find(({ name }) => name === 'BASE')).toMatchObject({
    from: '2026-10-10',
    confirmations: 20,
    quorum: 2,
  });
});

test('takes the beacon chain of a private network from the environment and from a stage', () => {
  const network = { ...ETHEREUM_BEACON, genesisTime: 1_727_812_800 };
  const ofEthereum = (targets: ReturnType<typeof of>) =>
    targets.find(({ name }) => name === 'ETHEREUM')?.chain.finality;
  expect(ofEthereum(of({ BEACON_NETWORK: JSON.stringify(network) }))).toMatchObject({ network });
  expect(ofEthereum(of({}))).toMatchObject({ network: ETHEREUM_BEACON });
  expect(ofEthereum(targetsOfStage('test', now))).toMatchObject({ network: { committeeSize: 32 } });
});

test('starts at INGEST_START_DATE or the first day of the chain, whichever is later', () => {
  const targets = of({ INGEST_START_DATE: '2020-01-01' });
  const from = Object.fromEntries(targets.map((target) => [target.name, target.from]));
  expect(from).toMatchObject({ ETHEREUM: '2020-01-01', BSC: '2020-08-29', BASE: '2023-06-15' });
});

test('replaces the endpoints of a single chain by given URLs', async () => {
  const selected = chooseTargets(of({}), ['BASE'], ['https://c.example/key']);
  expect(selected).toHaveLength(1);
  expect(await hostsOf([...selected], 'BASE')).toEqual(['c.example']);
});

test.each([
  [undefined, /Name it with --chain/],
  [['BASE', 'BSC'] as const, /Name it with --chain/],
])('refuses given URLs for the chains %j', (names, message) => {
  expect(() => chooseTargets(of({}), names, ['https://c.example'])).toThrow(message);
});

test('refuses an environment that npm start refuses', () => {
  expect(() => of({ RPC_URLS_BASE: 'secret' })).toThrow(
    'Invalid environment: RPC_URLS_BASE must be http or https URLs, separated by commas.',
  );
});

describe('a stage', () => {
  let service: AwsEndpoint;
  let told: AwsResponse;
  beforeEach(async () => {
    service = await startAwsEndpoint(() => told);
    Object.assign(process.env, service.environment);
  });
  afterEach(() => service[Symbol.asyncDispose]());

  const targets = () => targetsOfStage('test', now);

  test('provides chains, first days and where they are configured', () => {
    const names = defaultChainNames.filter((name) => name !== 'BSC');
    expect(targets().map(({ name }) => name)).toEqual(names);
    expect(targets().find(({ name }) => name === 'BASE')).toMatchObject({
      from: '2023-06-15',
      confirmations: 7,
      quorum: 3,
    });
    const base = targets().find(({ name }) => name === 'BASE');
    expect(base?.settingOf('startDate')).toBe('chains.BASE.startDate in lib/stages/test.ts');
    // 30 days before now, which is what a first run would choose.
    expect(targets().find(({ name }) => name === 'ETHEREUM')).toMatchObject({ from: '2026-10-22' });
    expect(() => chooseTargets(targets(), ['BSC'], [])).toThrow(
      `This configuration does not ingest BSC. It ingests ${names.join(', ')}.`,
    );
  });

  test('reads URLs from the parameter of a chain', async () => {
    told = parameter('SecureString', 'https://key.a.example/v1');
    expect(await hostsOf(targets(), 'BASE')).toEqual(['a.example']);
    expect(service.requests).toMatchObject([{ input: { Name: '/nodes/base', WithDecryption: true } }]);
    expect(await hostsOf(targets(), 'POLYGON')).toEqual([
      'polygon-bor-rpc.publicnode.com',
      'polygon.drpc.org',
      'polygon.gateway.tenderly.co',
    ]);
  });
});
