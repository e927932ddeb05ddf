import type { Key } from '#cli/keys/keys.ts';

/** An enabled key of alice, with some members overridden. */
export const keyOf = (id: string, more: Partial<Key> = {}): Key => ({
  id,
  name: 'alice',
  tier: 'free',
  enabled: true,
  created_at: '2026-11-20T10:00:00.000Z',
  ...more,
});
