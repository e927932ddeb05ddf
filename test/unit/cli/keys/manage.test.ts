import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import type { Key, KeyRequest, Keys } from '#cli/keys/keys.ts';
import { issueProbeKey, setEnabled, showKeys, sorted } from '#cli/keys/manage.ts';
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

const off = { enabled: false };
test.each<[string, readonly Key[], boolean, string]>([
  ['another', [keyOf('4f99'), keyOf('77aa')], false, 'is disabled. Key 77aa remains valid.'],
  ['two', [keyOf('4f99'), keyOf('77aa'), keyOf('8c')], false, 'is disabled. Keys 77aa, 8c remain valid.'],
  ['none', [keyOf('4f99'), keyOf('77aa', off)], false, 'is disabled. No other key of alice is valid.'],
  ['another', [keyOf('4f99', off), keyOf('77aa')], true, 'is valid again. Key 77aa is also valid.'],
])('states that %s of the same name is valid', async (_, known, enabled, message) => {
  const written = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const keys: Keys = {
    title: 'ChainInsights-prod',
    flags: '',
    tiers: [],
    builtIn: [],
    list: async () => [...known, keyOf('of-bob', { name: 'bob' })],
    issue: () => Promise.reject(new Error('not used')),
    setEnabled: async () => {},
    usage: async () => new Map(),
  };
  await setEnabled(keys, { id: '4f99', json: false }, enabled);
  expect(written.mock.calls).toEqual([[`Key 4f99 of alice ${message}\n`]]);
  jest.restoreAllMocks();
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

const service = { stackName: 'ChainInsights-prod', access: { region: 'eu-central-1' } };
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

test('stores the key encrypted, prints it nowhere, and then disables the keys that it replaces', async () => {
  const { keys, disabled, requests } = keysWith(key('old', 'probe'), key('other', 'alice'));
  await issueProbeKey(keys, service, { json: false });
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

test('disables the new key and keeps the old one when the parameter cannot be written', async () => {
  parameters.on(PutParameterCommand).rejects(new Error('AccessDenied'));
  const { keys, disabled } = keysWith(key('old', 'probe'));
  await expect(issueProbeKey(keys, service, { json: false })).rejects.toThrow('AccessDenied');
  expect(disabled).toEqual(['new']);
});
