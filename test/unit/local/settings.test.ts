import { chainNames, defaultChainNames } from '#core/chains/chains.ts';
import { ETHEREUM_BEACON } from '#core/chains/finality-rules.ts';
import { addDays, dayOf } from '#core/figures/calendar.ts';
import { readSettings } from '#local/settings.ts';

test('has a default for every setting, and ignores variables of other programs', () => {
  expect(readSettings({ API_URLS_BASE: 'a', CHECKPOINTS_BASE: 'b', RPC_URL_SOLANA: 'c' })).toEqual({
    api: { host: '127.0.0.1', port: 3000 },
    apiKey: 'local-key',
    rpcUrls: new Map(),
    chains: defaultChainNames,
    settingsOf: expect.any(Function),
    startDay: undefined,
    everySeconds: 5,
    eventsWebhookUrl: undefined,
    dataDir: undefined,
    table: { host: '127.0.0.1', port: 0 },
  });
});

test('reads each variable, and ignores empty ones', () => {
  const settings = readSettings({
    HOST: '127.0.0.2',
    PORT: '8080',
    API_KEY: 'mine',
    RPC_URLS_BASE: 'https://a.example/key#anchor,5/s, http://localhost:8545#json ,',
    RPC_URLS_BSC: '',
    CONFIRMATIONS_POLYGON: '256',
    CONFIRMATIONS_BSC: '',
    EVIDENCE_BSC: 'checked',
    EVIDENCE_BASE: '',
    QUORUM_BASE: '2',
    QUORUM_BSC: '',
    QUORUM_POLYGON: '1',
    INGEST_START_DATE: '2026-11-01',
    INGEST_EVERY_SECONDS: '0.5',
    EVENTS_WEBHOOK_URL: 'https://hooks.example/secret',
    DATA_DIR: 'data',
    TABLE_HOST: '172.17.0.1',
    TABLE_PORT: '8000',
    FINALITY_ETHEREUM: 'proven',
    CHECKPOINT_BSC: `0x${'ab'.repeat(32)}`,
    BEACON_URLS: 'https://beacon.example, http://localhost:5052',
    BEACON_NETWORK: JSON.stringify(ETHEREUM_BEACON),
  });
  expect(settings).toEqual({
    api: { host: '127.0.0.2', port: 8080 },
    apiKey: 'mine',
    rpcUrls: new Map([['BASE', ['https://a.example/key#anchor,5/s', 'http://localhost:8545#json']]]),
    chains: defaultChainNames,
    settingsOf: expect.any(Function),
    startDay: '2026-11-01',
    everySeconds: 0.5,
    eventsWebhookUrl: 'https://hooks.example/secret',
    dataDir: 'data',
    table: { host: '172.17.0.1', port: 8000 },
  });
  const urls = ['https://beacon.example', 'http://localhost:5052'];
  const beacon = { urls, network: ETHEREUM_BEACON };
  const { settingsOf } = settings;
  expect(settingsOf('ETHEREUM')).toEqual({ finality: 'proven', beacon });
  expect(settingsOf('BSC')).toEqual({ evidence: 'checked', checkpoint: `0x${'ab'.repeat(32)}`, beacon });
  expect(settingsOf('BASE')).toEqual({ quorum: 2, beacon });
  expect(settingsOf('POLYGON')).toEqual({ confirmations: 256, quorum: 1, beacon });
  const relative = readSettings({ INGEST_START_DATE: '2-days-ago' });
  expect(relative.startDay).toBe(addDays(dayOf(Date.now() / 1_000), -2));
});

const one = `followed by one of ${chainNames.join(', ')}`;

test.each([
  ['HOST', 'localhost', 'must be an IPv4 address'],
  ['PORT', 'web', 'must be a whole number from 0 to 65535'],
  ['PORT', '65536', 'must be a whole number from 0 to 65535'],
  ['PORT', '80.5', 'must be a whole number from 0 to 65535'],
  ['INGEST_START_DATE', '2026-02-30', 'must be a day as YYYY-MM-DD, yesterday or 30-days-ago'],
  ['INGEST_EVERY_SECONDS', '0', 'must be a number from 0.1 to 86400'],
  ['RPC_URLS_BASE', 'localhost:8545', 'must be http or https URLs, separated by commas'],
  [
    'RPC_URLS_BASE',
    'https://a.example#json,http://b.example#20/s,last',
    'has the unknown option last after its #. Known are json, anchor, reserve and a rate such as 20/s',
  ],
  ['RPC_URLS_BASE', ' , ', 'must name at least one URL'],
  ['EVENTS_WEBHOOK_URL', 'localhost:9000', 'must be an http or https URL'],
  ['EVENTS_WEBHOOK_URL', 'ftp://hooks.example', 'must be an http or https URL'],
  ['RPC_URLS_SOLANA', 'http://localhost', `names no known chain. Expected RPC_URLS_ ${one}`],
  ['RPC_URL_BASE', 'http://localhost', 'is not a setting. Expected RPC_URLS_BASE'],
  ['PUBLIC_DAYS', 'my licence', 'must be the identifier of a licence, such as CC0-1.0'],
  ['TABLE_HOST', 'localhost', 'must be an IPv4 address'],
  ['TABLE_PORT', '65536', 'must be a whole number from 0 to 65535'],
  ['CONFIRMATIONS_BASE', '100001', 'must be a whole number from 1 to 100000'],
  ['CONFIRMATIONS_BASE', '1.5', 'must be a whole number from 1 to 100000'],
  ['CONFIRMATIONS_BASE', 'many', 'must be a whole number from 1 to 100000'],
  ['QUORUM_BASE', '11', 'must be a whole number from 1 to 10'],
  ['QUORUM_BASE', '2', 'must be no more than 1, the number of its hosts'],
  [
    'EVIDENCE_BASE',
    'believed',
    'must be proven, checked, or checked from a block, such as checked from 25000000',
  ],
  ['FINALITY_BSC', 'believed', 'must be one of proven, reported'],
  ['CHECKPOINT_BSC', '0x12', 'must be 32 bytes in hex, such as 0x…'],
  ['BEACON_NETWORK', 'network.json', 'must be JSON'],
  ['CONFIRMATIONS_SOLANA', '5', `names no known chain. Expected CONFIRMATIONS_ ${one}`],
])('refuses %s=%s by name', (name, value, message) => {
  expect(() => readSettings({ [name]: value })).toThrow(`Invalid environment: ${name} ${message}.`);
});

test('refuses an epoch of Gloas beside a network of its own, which has another version of the fork', () => {
  const pair = { BEACON_NETWORK: JSON.stringify(ETHEREUM_BEACON), BEACON_GLOAS_EPOCH: '500000' };
  expect(() => readSettings(pair)).toThrow(
    'Invalid environment: BEACON_GLOAS_EPOCH must not be set beside BEACON_NETWORK, whose forks have Gloas.',
  );
});

test('reads the settings of each beacon chain, and those without a name for the only one', () => {
  const settings = readSettings({
    CHAINS: 'ETHEREUM,GNOSIS',
    BEACON_URLS: 'https://any.example',
    BEACON_URLS_GNOSIS: 'https://gnosis.example',
    BEACON_GLOAS_EPOCH_GNOSIS: '1800000',
  });
  expect(settings.settingsOf('ETHEREUM').beacon).toEqual({ urls: ['https://any.example'] });
  expect(settings.settingsOf('GNOSIS').beacon).toEqual({
    urls: ['https://gnosis.example'],
    gloasEpoch: 1_800_000,
  });
});

test.each([
  [{ BEACON_GLOAS_EPOCH: '411392' }, 'BEACON_GLOAS_EPOCH must be a whole number of at least 411393'],
  [
    { CHAINS: 'GNOSIS', BEACON_GLOAS_EPOCH: '500000' },
    'BEACON_GLOAS_EPOCH must be a whole number of at least 1714689',
  ],
  [
    { CHAINS: 'GNOSIS', BEACON_GLOAS_EPOCH_GNOSIS: '500000' },
    'BEACON_GLOAS_EPOCH_GNOSIS must be a whole number of at least 1714689',
  ],
  [
    {
      BEACON_URLS: 'https://b.example',
      RPC_URLS_ETHEREUM: 'https://a.example',
      RPC_URLS_GNOSIS: 'https://a.example',
    },
    'BEACON_URLS must end with the name of one of ETHEREUM, GNOSIS, as in BEACON_URLS_ETHEREUM',
  ],
  [
    { BEACON_URLS_BASE: 'https://b.example' },
    'BEACON_URLS_BASE names no chain with a beacon chain. Expected BEACON_URLS_ followed by one of ETHEREUM, GNOSIS',
  ],
])('refuses %j for a beacon chain', (environment, message) => {
  expect(() => readSettings(environment)).toThrow(`Invalid environment: ${message}.`);
});

test('refuses to require proof of blocks that are only checked', () => {
  const pair = { FINALITY_BSC: 'proven', EVIDENCE_BSC: 'checked' };
  expect(() => readSettings(pair)).toThrow(
    'Invalid environment: FINALITY_BSC must not be proven beside weaker evidence: only a hash ties blocks to a proof.',
  );
});

test.each(['0.0.0.0', '192.168.1.5'])('refuses HOST=%s with the default key or a short one', (HOST) => {
  for (const API_KEY of [undefined, '', 'local-key', 'fifteen-letters']) {
    expect(() => readSettings({ HOST, API_KEY })).toThrow(
      'Invalid environment: API_KEY must be a key of your own with at least 16 characters, because HOST lets other machines call the API.',
    );
  }
});

test('runs the chains that are named, and those with nodes', () => {
  const { chains } = readSettings({ CHAINS: 'base, unichain', RPC_URLS_WORLD_CHAIN: 'https://node.example' });
  expect(chains).toEqual(['BASE', 'UNICHAIN', 'WORLD_CHAIN']);
  expect(() => readSettings({ CHAINS: 'BASE,SOLANA' })).toThrow(
    'CHAINS must be names of chains, separated by commas',
  );
});
