import type { BeaconChain } from './beacon-chain.ts';

/** As many as real servers give at once. */
const MAX_UPDATES = 128;

/** Returns the answer of a light-client server to a path, or undefined when it has none. */
export async function lightClientAnswer(chain: BeaconChain, path: string): Promise<unknown> {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const name = pathname.replace(/^.*\/light_client\//, '');
  if (name === 'finality_update') return toJson({ data: await chain.finalityUpdate() });
  if (name.startsWith('bootstrap/')) {
    const data = chain.bootstrap(name.slice('bootstrap/'.length));
    return data && toJson({ data });
  }
  if (name !== 'updates') return undefined;
  const [start, count] = ['start_period', 'count'].map((key) => Number(searchParams.get(key)));
  const updates = await chain.updates(start ?? 0, Math.min(count ?? 1, MAX_UPDATES));
  return updates.map((data) => toJson({ data }));
}

/** Returns a value as beacon nodes write it: bytes as hex, and integers as decimal digits. */
function toJson(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return `0x${value.toString('hex')}`;
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toJson(member)]));
}
