import * as z from 'zod/mini';
import type { BeaconNetwork } from '../chains/finality-rules.ts';
import type { BlobSchedule } from '../chains/rule-types.ts';
import type { ScheduledFork } from '../chains/scheduled-fork.ts';

/* Decodes what hosts say about forks, and compares it with the tables of this version. Hosts err and lie: nothing may rely on it. */

type Fork = Omit<ScheduledFork, 'host'>;

/** The last second of the year 9999. Later ones stand for "never". */
const MAX_TIME = 253_402_300_799;
/** A host must not fill the table. */
const MAX_FORKS = 20;

const count = z.int().check(z.nonnegative());
const forkSchema = z.nullish(
  z.object({
    activationTime: count,
    // Ethrex has none for Amsterdam.
    blobSchedule: z.nullish(z.object({ target: count, max: count, baseFeeUpdateFraction: count })),
  }),
);
const configSchema = z.object({ current: forkSchema, next: forkSchema, last: forkSchema });

/**
 * Returns the forks ahead in an answer to `eth_config` (EIP-7910), and the active one if its blobs are unlike the table's. A time is
 * followed if the table has it with the same blobs, since geth may state the time of one fork beside the blobs of another.
 * @param now seconds since 1970
 */
export function forksOfConfig(answer: unknown, table: BlobSchedule, now: number): Fork[] {
  const { success, data } = configSchema.safeParse(answer);
  if (!success) return [];
  const forks = [data.current, data.next, data.last].flatMap((fork) => {
    if (!fork) return [];
    const { activationTime: time, blobSchedule: blobs } = fork;
    const isAhead = time > now;
    const known = isAhead
      ? table.find(({ from }) => from === time)
      : table.findLast(({ from }) => from <= now);
    const followed =
      known?.target === blobs?.target &&
      known?.max === blobs?.max &&
      known?.updateFraction === blobs?.baseFeeUpdateFraction &&
      known !== undefined;
    if (!isAhead && (followed || !blobs)) return [];
    return [forkAt(time, followed, blobs ? `blobs ${blobs.target}/${blobs.max}` : undefined)];
  });
  return distinct(forks);
}

const specSchema = z.object({
  data: z.looseObject({
    BLOB_SCHEDULE: z.optional(z.array(z.object({ EPOCH: z.string(), MAX_BLOBS_PER_BLOCK: z.string() }))),
  }),
});

const FORK_EPOCH = /^([A-Z0-9]{1,20})_FORK_EPOCH$/;

/** Returns the forks ahead in a beacon node's `/eth/v1/config/spec`. @param now seconds since 1970 */
export function forksOfSpec(
  answer: unknown,
  network: BeaconNetwork,
  table: BlobSchedule,
  now: number,
): Fork[] {
  const { success, data: spec } = specSchema.safeParse(answer);
  if (!success) return [];
  const timeOf = (epoch: number) =>
    network.genesisTime + epoch * network.slotsPerEpoch * network.secondsPerSlot;
  const named = Object.entries(spec.data).flatMap(([key, value]) => {
    const name = FORK_EPOCH.exec(key)?.[1]?.toLowerCase();
    if (name === undefined || typeof value !== 'string') return [];
    const followed = network.forks.some((fork) => fork.name === name && fork.epoch === Number(value));
    return [forkAt(timeOf(Number(value)), followed, name)];
  });
  const blobs = (spec.data.BLOB_SCHEDULE ?? []).map(({ EPOCH, MAX_BLOBS_PER_BLOCK: max }) => {
    const time = timeOf(Number(EPOCH));
    const followed = table.some((known) => known.from === time && known.max === Number(max));
    return forkAt(time, followed, `at most ${Number(max)} blobs`);
  });
  const isAhead = (fork: Fork | undefined) => fork !== undefined && Date.parse(fork.at) > now * 1_000;
  return distinct([...named, ...blobs].filter(isAhead));
}

/** Returns the upgrade ahead in what `ArbOwnerPublic.getScheduledUpgrade()` returned: a version and a time, zero without one. */
export function forksOfArbos(words: string, lastArbosVersion: number, now: number): Fork[] {
  const [, version, time] = /^0x([0-9a-f]{64})([0-9a-f]{64})$/i.exec(words) ?? [];
  if (Number(`0x${time ?? '0'}`) <= now) return [];
  const number = Number(`0x${version}`);
  return distinct([forkAt(Number(`0x${time}`), number <= lastArbosVersion, `ArbOS ${number}`)]);
}

const forkAt = (time: number, followed: boolean, name?: string): Fork | undefined =>
  Number.isInteger(time) && time >= 0 && time <= MAX_TIME
    ? { ...(name !== undefined && { name }), at: new Date(time * 1_000).toISOString(), followed }
    : undefined;

/** Returns each fork once: `next` and `last` are often the same. */
const distinct = (forks: readonly (Fork | undefined)[]): Fork[] =>
  [...new Map(forks.flatMap((fork) => (fork ? [[JSON.stringify(fork), fork]] : []))).values()].slice(
    0,
    MAX_FORKS,
  );
