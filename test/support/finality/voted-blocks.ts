import type { Chain } from '#core/chains/chains.ts';
import type { FastFinalityRules } from '#core/chains/finality-rules.ts';
import type { BlockRef } from '#core/figures/block.ts';
import { formOf } from '#core/finality/fast-finality/bep126.ts';
import { keccak256 } from '#core/proof/encoding/keccak.ts';
import { RlpWriter } from '#core/proof/encoding/rlp.ts';
import type { RpcHeader } from '#core/proof/json/rpc-types.ts';
import { type RawBlock, sealBlock } from '#test/support/generators/blocks/seal.ts';
import { votingRules } from './simulated-chains.ts';
import { keyOf, sign, sumOf, type ValidatorKey } from './validator-keys.ts';

/* Blocks of a simulated BSC, with validators and votes in their extra data. */

const VALIDATORS = 8;
const ALL_VOTES = 2 ** VALIDATORS - 1;

/** Every third block has votes: signing for each would take seconds. */
const VOTES_EVERY = 3;
const hasVotes = (number: number) => number > 1 && number % VOTES_EVERY === 2;

/** Returns the number of the final block: the source of the newest votes. */
export const finalIn = (latest: number): number => {
  const withVotes = latest - ((((latest - 2) % VOTES_EVERY) + VOTES_EVERY) % VOTES_EVERY);
  return Math.max(0, withVotes - 2);
};

const writer = new RlpWriter();
/** Returns a list in RLP, whose items are written from the last to the first. */
function listOf(write: () => void): Buffer {
  const mark = writer.size();
  write();
  writer.list(mark);
  const list = Buffer.from(writer.since(mark));
  writer.truncate(mark);
  return list;
}

function votesFor(all: ValidatorKey, source: BlockRef, target: BlockRef): Buffer {
  const data = listOf(() => {
    for (const { number, hash } of [target, source]) {
      writer.fixed(hash, 32, 'hash');
      writer.quantity(`0x${number.toString(16)}`, 'number');
    }
  });
  const signature = sign(all, keccak256(data));
  return listOf(() => {
    writer.empty();
    writer.rawBytes(data);
    writer.bytes(signature);
    writer.quantity(`0x${ALL_VOTES.toString(16)}`, 'votes');
  });
}

interface Validators {
  /** Their addresses and keys, in order. */
  readonly named: Buffer;
  /** Signs for all of them. */
  readonly all: ValidatorKey;
}

function validatorsOf(name: string): Validators {
  const keys = Array.from({ length: VALIDATORS }, (_, index) => keyOf(`${name} ${index}`));
  const members = keys.flatMap(({ publicKey }, index) => [Buffer.alloc(20, index + 1), publicKey]);
  return { named: Buffer.concat([Buffer.of(VALIDATORS), ...members]), all: sumOf(keys) };
}

/** @param before the headers up to the parent */
function extraDataOf(
  rules: FastFinalityRules,
  { named, all }: Validators,
  header: RpcHeader,
  before: readonly RpcHeader[],
): string {
  const number = Number(header.number);
  const { isEpochBlock, hasTurnLength } = formOf(rules, header);
  const refOf = (at: number): BlockRef => ({ number: at, hash: before[at]?.hash ?? '' });
  const turnLength = Buffer.alloc(hasTurnLength ? 1 : 0, 1);
  const parts = [
    Buffer.alloc(32),
    ...(isEpochBlock ? [named, turnLength] : []),
    ...(hasVotes(number) ? [votesFor(all, refOf(number - 2), refOf(number - 1))] : []),
    Buffer.alloc(65),
  ];
  return `0x${Buffer.concat(parts).toString('hex')}`;
}

/**
 * Gives blocks validators and votes, and so other hashes.
 * @param chain by whose rules the blocks are sealed
 * @param name of the validators: others have other keys
 */
export async function withVotes<Block extends RawBlock>(
  chain: Chain,
  blocks: readonly Block[],
  name = 'validator',
): Promise<readonly Block[]> {
  const set = validatorsOf(name);
  const headers: RpcHeader[] = [];
  return blocks.map((block) => {
    const { header } = block;
    const parentHash = headers.at(-1)?.hash ?? header.parentHash;
    const extraData = extraDataOf(votingRules, set, header as unknown as RpcHeader, headers);
    const sealed = sealBlock(chain, { ...block, header: { ...header, parentHash, extraData } });
    headers.push(sealed.header as unknown as RpcHeader);
    return { ...block, ...sealed };
  });
}
