import type { Key, Keys } from '#cli/keys/keys.ts';
import { listedKeys, setEnabled, showKeys } from '#cli/keys/manage.ts';
import { keyOf } from '#test/support/generators/keys.ts';

test('lists keys by name and age, with their replacements', () => {
  const keys = [
    keyOf('new', { created_at: '2026-11-21T08:30:00.000Z', replaces: 'old' }),
    keyOf('odd', { name: 'zoe', tier: undefined, enabled: false }),
    keyOf('old'),
  ];
  expect(showKeys(listedKeys(keys))).toBe(
    [
      'name   id   tier  enabled  issued (UTC)      replaced by',
      'alice  old  free  yes      2026-11-20 10:00  new',
      'alice  new  free  yes      2026-11-21 08:30',
      'zoe    odd  none  no       2026-11-20 10:00',
    ].join('\n'),
  );
  expect(listedKeys(keys)[0]).toEqual({
    ...keyOf('old'),
    replaced_by: 'new',
    replaced_at: '2026-11-21T08:30:00.000Z',
  });
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
