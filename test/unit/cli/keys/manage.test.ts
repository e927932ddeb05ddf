import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import type { Key, KeyRequest, Keys } from '#cli/keys/keys.ts';
import {
  issue,
  issueProbeKey,
  keyUsageOf,
  rotate,
  setEnabled,
  showKeys,
  showUsage,
  sorted,
  usageRange,
} from '#cli/keys/manage.ts';
import { keyOf } from '#test/support/generators/rows/keys.ts';

test('lists keys by name and age', () => {
  const keys = [
    keyOf('new', { created_at: '2026-11-21T08:30:00.000Z' }),
    keyOf('odd', { name: 'zoe', tier: undefined, enabled: false }),
    keyOf('old'),
  ];
  expect(showKeys(sorted(keys))).toBe(
    [
      'name   id   tier  enabled  issued (UTC)',
      'alice  old  free  yes      2026-11-20 10:00',
      'alice  new  free  yes      2026-11-21 08:30',
      'zoe    odd  none  no       2026-11-20 10:00',
    ].join('\n'),
  );
});

const parameters = mockClient(SSMClient);
const SECRET = 'a-value-that-nobody-may-see';
const key = (id: string, name: string): Key => ({ id, name, tier: 'free', enabled: true, created_at: '' });

/** Keys of a deployed stage that has some already. */
function keysWith(...listed: readonly Key[]) {
  const disabled: string[] = [];
  const requests: KeyRequest[] = [];
  const keys: Keys = {
    title: 'ChainInsights-prod',
    flags: ' --stage prod',
    tiers: [{ name: 'free' }],
    builtIn: [],
    list: async () => listed,
    issue: async (request) => {
      requests.push(request);
      return { key: key('new', request.name), value: SECRET };
    },
    setEnabled: async ({ id }) => {
      disabled.push(id);
    },
    usage: async () => new Map(),
  };
  return { keys, disabled, requests };
}

const service = { access: { region: 'eu-central-1' } };
let printed = '';
beforeEach(() => {
  parameters.reset().on(PutParameterCommand).resolves({});
  printed = '';
  for (const stream of [process.stdout, process.stderr]) {
    jest.spyOn(stream, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  }
});
afterEach(() => jest.restoreAllMocks());

const off = { enabled: false };

test.each<[string, readonly Key[], boolean, string]>([
  ['another', [keyOf('4f99'), keyOf('77aa')], false, 'is disabled. Key 77aa remains valid.'],
  ['two', [keyOf('4f99'), keyOf('77aa'), keyOf('8c')], false, 'is disabled. Keys 77aa, 8c remain valid.'],
  ['none', [keyOf('4f99'), keyOf('77aa', off)], false, 'is disabled. No other key of alice is valid.'],
  ['another', [keyOf('4f99', off), keyOf('77aa')], true, 'is valid again. Key 77aa is also valid.'],
])('states that %s of the same name is valid', async (_, known, enabled, message) => {
  const { keys } = keysWith(...known, keyOf('of-bob', { name: 'bob' }));
  await setEnabled(keys, { id: '4f99', json: false }, enabled);
  expect(printed).toContain(`Key 4f99 of alice ${message}\n`);
});

test('stores the key encrypted, prints it nowhere, and then disables the keys that it replaces', async () => {
  const { keys, disabled, requests } = keysWith(key('old', 'probe'), key('other', 'alice'));
  await issueProbeKey({ ...keys, ...service }, { json: false });
  expect(requests).toEqual([{ name: 'probe', tier: 'free' }]);
  expect(parameters.call(0).args[0].input).toEqual({
    Name: '/chain-insights/ChainInsights-prod/probe-key',
    Value: SECRET,
    Type: 'SecureString',
    Overwrite: true,
  });
  expect(disabled).toEqual(['old']);
  expect(printed).toContain('Issued key new for the probe');
  expect(printed).not.toContain(SECRET);
});

test('refuses the name of the probe’s key, which would be disabled with it, to clients', async () => {
  const { keys, requests } = keysWith(key('p', 'probe'));
  const deployed = { ...keys, hasProbe: true };
  for (const work of [
    issue(deployed, { json: false, name: 'probe' }),
    rotate(deployed, { json: false, name: 'probe' }),
  ])
    await expect(work).rejects.toThrow(/^The name probe is reserved .*keys probe --stage prod/s);
  expect(requests).toEqual([]);
});

test('keeps the new key when only the answer of the parameter store is lost', async () => {
  const { keys, disabled } = keysWith(key('old', 'probe'));
  parameters.on(PutParameterCommand).rejects(Object.assign(new Error('timed out'), { name: 'TimeoutError' }));
  await expect(issueProbeKey({ ...keys, ...service }, { json: false })).rejects.toThrow('timed out');
  expect([disabled, printed]).toEqual([[], expect.stringContaining('Key new stays valid')]);
});

test('disables the new key and keeps the old one when the parameter cannot be written', async () => {
  parameters.on(PutParameterCommand).rejects(new Error('AccessDenied'));
  const { keys, disabled } = keysWith(key('old', 'probe'));
  await expect(issueProbeKey({ ...keys, ...service }, { json: false })).rejects.toThrow('AccessDenied');
  expect(disabled).toEqual(['new']);
});

const TODAY = '2026-11-21';

test.each([
  ['the last 30 days by default', {}, '2026-10-23', TODAY],
  ['30 days up to --end-date', { endDate: '2026-11-10' }, '2026-10-12', '2026-11-10'],
  ['the days from --start-date to today', { startDate: '2026-08-24' }, '2026-08-24', TODAY],
  ['no future days', { startDate: TODAY, endDate: '2026-12-31' }, TODAY, TODAY],
])('reports %s', (_, options, first, last) => {
  expect(usageRange(options, TODAY)).toEqual({ first, last });
});

test.each([
  [{ startDate: '2026-08-23' }, 'the range has 91 days. Choose 1 to 90 days up to today.'],
  [{ startDate: '2026-11-22' }, '2026-11-22 is in the future. Choose 1 to 90 days up to today.'],
  [{ startDate: '2026-11-22', endDate: '2026-11-30' }, '2026-11-22 is in the future.'],
])('refuses %p', (options, message) => {
  expect(() => usageRange(options, TODAY)).toThrow(message);
});

const range = { first: '2026-11-19', last: '2026-11-21' };

const days = (requests: readonly number[]) =>
  requests.map((used, index) => ({ date: `2026-11-${19 + index}`, requests: used, remaining: 100 - index }));

test('sums the requests of a key and omits days without requests', () => {
  const old = keyOf('old');
  expect(keyUsageOf(old, days([3, 0, 4]))).toMatchObject({
    requests: 7,
    last_used: '2026-11-21',
    remaining: 98,
    days: [
      { date: '2026-11-19', requests: 3 },
      { date: '2026-11-21', requests: 4 },
    ],
  });
  expect(keyUsageOf(old, days([1, 0, 0]))).toMatchObject({ last_used: '2026-11-19', remaining: 98 });
  expect(keyUsageOf(old, [])).toMatchObject({ requests: 0, days: [] });
});

test('shows usage by key and by day', () => {
  const builtIn = { id: 'API_KEY', name: 'API_KEY' };
  const usages = [
    keyUsageOf(keyOf('old'), days([3, 0, 4])),
    keyUsageOf(builtIn, [{ date: '2026-11-20', requests: 9 }]),
  ];
  expect(showUsage(usages, range)).toBe(
    [
      'name     id       tier  requests  last used   quota left',
      'alice    old      free         7  2026-11-21          98',
      'API_KEY  API_KEY               9  2026-11-20',
      '',
      'date        name     id       requests  quota left',
      '2026-11-19  alice    old             3         100',
      '2026-11-20  API_KEY  API_KEY         9',
      '2026-11-21  alice    old             4          98',
    ].join('\n'),
  );
});

test('states that no key was used instead of an empty table of days', () => {
  expect(showUsage([keyUsageOf(keyOf('old'), days([0, 0, 0]))], range)).toMatch(
    /not used +98\n\nNo key was used from 2026-11-19 to 2026-11-21\.$/,
  );
});
