import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import type { Key, KeyRequest, Keys } from '#cli/keys/keys.ts';
import { issueProbeKey } from '#cli/keys/probe-key.ts';

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
