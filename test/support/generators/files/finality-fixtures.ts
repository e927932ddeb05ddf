import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { BeaconNetwork, FastFinalityRules } from '#core/chains/finality-rules.ts';
import { BSC_FINALITY } from '#core/chains/finality-rules.ts';
import type { FastFinalityState, HashedHeader } from '#core/finality/fast-finality/bep126.ts';
import type { Committee } from '#core/finality/sync-committee/answers.ts';
import { type LightClientState, startLightClient } from '#core/finality/sync-committee/light-client.ts';
import { committeeRoot } from '#core/finality/sync-committee/ssz.ts';
import type { RpcHeader } from '#core/proof/json/rpc-types.ts';

/* Recorded and made evidence of finality: test/fixtures/finality. */

// biome-ignore lint/suspicious/noExplicitAny: recorded data of many shapes.
export type Recorded = any;

export const readFixture = (name: string): Recorded =>
  JSON.parse(gunzipSync(readFileSync(`test/fixtures/finality/${name}.json.gz`)).toString());

const FORKS = ['capella', 'deneb', 'electra', 'fulu', 'gloas'] as const;

/** The network of a recording. */
export const networkOf = ({ config }: Recorded): BeaconNetwork => ({
  genesisValidatorsRoot: config.genesis_validators_root,
  genesisTime: config.genesis_time ?? 0,
  secondsPerSlot: 12,
  slotsPerEpoch: config.slots_per_epoch,
  epochsPerPeriod: config.epochs_per_sync_committee_period,
  committeeSize: config.sync_committee_size,
  forks: FORKS.filter((name) => config.forks[name]).map((name) => ({ name, ...config.forks[name] })),
});

const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex');
const decoded = ({ pubkeys, aggregate_pubkey }: Recorded): Committee => ({
  pubkeys: pubkeys.map(bytes),
  aggregate_pubkey: bytes(aggregate_pubkey),
});
const rootOf = (committee: Committee): string => `0x${committeeRoot(committee).toString('hex')}`;

/** A light client at the beginning of a recording. */
export function beginRecording(recorded: Recorded) {
  const network = networkOf(recorded);
  const committees = new Map<string, Committee>();
  const know = (committee: Committee) => committees.set(rootOf(committee), committee);
  if (recorded.bootstrap) {
    const begun = startLightClient(network, recorded.trusted_block_root, recorded.bootstrap);
    if (begun.kind === 'refused' || !begun.learned)
      throw new Error(`The bootstrap: ${JSON.stringify(begun)}`);
    know(begun.learned);
    return { network, committees, know, state: begun.state };
  }
  const { current_sync_committee: current, next_sync_committee: next, ...store } = recorded.store;
  const [committee, nextCommittee] = [current, next].map((one) => one && decoded(one));
  for (const one of [committee, nextCommittee]) if (one) know(one);
  const state: LightClientState = {
    kind: 'sync committee',
    slot: Number(store.finalized_slot ?? store.finalized?.slot),
    root: '0x',
    block: { hash: '0x' },
    committee: committee ? rootOf(committee) : '0x',
    nextCommittee: nextCommittee && rootOf(nextCommittee),
  };
  return { network, committees, know, state };
}

/** The answers of a recording, in the order in which a client applies them. */
export const answersOf = (recorded: Recorded): readonly Recorded[] => [
  ...(recorded.finality_updates ?? []),
  ...(recorded.updates ?? []),
  ...(recorded.finality_update ? [recorded.finality_update] : []),
];

/** https://github.com/bnb-chain/bsc params/config.go, `ChapelChainConfig` */
const CHAPEL: FastFinalityRules = {
  bohrTime: 1_724_116_996,
  epochs: [
    { time: 0, length: 200 },
    { time: 1_744_097_580, length: 500 },
    { time: 1_748_243_100, length: 1_000 },
  ],
  certainAfter: 200,
};

interface RecordedSet {
  readonly epoch_block: number;
  readonly turn_length: number;
  readonly validators: readonly { readonly vote_key: string }[];
}

/** Headers of BSC with the validators that are known before the first, or all where the recording has gaps. */
export function readVotes(name: string) {
  const recorded = readFixture(name);
  const rules = name.startsWith('chapel') ? CHAPEL : BSC_FINALITY;
  const headers: readonly RpcHeader[] = recorded.headers;
  const sets = (Object.values(recorded.validator_sets) as readonly RecordedSet[]).map(
    ({ epoch_block, turn_length, validators }) => {
      const length = name.includes('plato') ? 200 : name.includes('lorentz') ? 500 : 1_000;
      const handover = (Math.floor(validators.length / 2) + 1) * turn_length - 1;
      const voteKeys = validators.map(({ vote_key }) => vote_key);
      return { epochBlock: epoch_block, from: epoch_block, to: epoch_block + length + handover, voteKeys };
    },
  );
  const isWhole = !name.startsWith('chapel') && !name.includes('lorentz');
  const state: FastFinalityState = {
    kind: 'fast finality',
    block: { number: 0, hash: '0x' },
    seenAt: 0,
    sets: isWhole ? sets.slice(0, 1) : sets,
  };
  return { rules, headers, state, expected: recorded.expected as Recorded };
}

/** Replaces a header's extra data. Its hash is then no longer that of its members, which followHeaders does not check. */
export const withExtraData = (header: RpcHeader, change: (extra: Buffer) => void): HashedHeader => {
  const extra = bytes(header.extraData);
  change(extra);
  return { ...header, extraData: `0x${extra.toString('hex')}` };
};
