import type { Target } from '#cli/doctor/targets.ts';
import { type ChainName, chainOf } from '#core/chains/chains.ts';

/** Returns a chain to check, of which each block must be proven. */
export const targetOf = (name: ChainName): Target => ({
  name,
  chain: chainOf(name),
  from: '2026-11-01',
  evidence: 'proven',
  proof: { servers: [], checkpoint: undefined },
  readEndpoints: async () => [],
  settingOf: (field) => `the ${field}`,
});
