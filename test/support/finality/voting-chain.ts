import type { FastFinalityRules } from '#core/chains/finality-rules.ts';
import type { BlockRef } from '#core/figures/block.ts';
import { formOf } from '#core/finality/fast-finality/rules.ts';
import { keccak256, loadKeccak } from '#core/proof/encoding/keccak.ts';
import { RlpWriter } from '#core/proof/encoding/rlp.ts';
import { headerHash } from '#core/proof/header.ts';
import type { RpcHeader } from '#core/proof/json/rpc-types.ts';
import { type DevelopmentKey, keyOf, sign, sumOf } from './validator-keys.ts';

/*
 * The blocks of a development chain of BSC: those of its node, with validators and votes in their extra data, and so with other hashes.
 */

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

function votesFor(all: DevelopmentKey, source: BlockRef, target: BlockRef): Buffer {
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
  readonly all: DevelopmentKey;
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
 * Returns functions that give the headers of a node validators and votes.
 * @param readHeader reads a header of the node
 * @param name of the validators: others have other keys
 */
export function createVotingChain(
  rules: FastFinalityRules,
  readHeader: (number: number) => Promise<RpcHeader>,
  name = 'validator',
) {
  const set = validatorsOf(name);
  const headers: RpcHeader[] = [];
  const makeNext = async () => {
    const header = await readHeader(headers.length);
    const parentHash = headers.at(-1)?.hash ?? header.parentHash;
    const changed = { ...header, parentHash, extraData: extraDataOf(rules, set, header, headers) };
    headers.push({ ...changed, hash: headerHash(changed) });
  };
  let last = Promise.resolve();
  /** Returns the members of a header that differ from those of the node. */
  const headerAt = async (number: number) => {
    await loadKeccak();
    // One after the other, because each names its parent.
    for (; headers.length <= number; await last)
      last = last.then(() => (headers.length <= number ? makeNext() : undefined));
    const { hash, parentHash, extraData } = headers[number] as RpcHeader;
    return { hash, parentHash, extraData };
  };
  return {
    headerAt,
    /** Returns the number of a block by its hash; -1 without one. */
    numberOf: (hash: string): number => headers.findIndex((header) => header.hash === hash),
    /**
     * Returns the hash of the newest epoch block that is final for long.
     * @param latest number of the latest block
     */
    checkpoint: async (latest: number): Promise<string> => {
      let number = Math.max(0, finalIn(latest) - rules.certainAfter);
      while (number > 0 && !formOf(rules, await readHeader(number)).isEpochBlock) number -= 1;
      return (await headerAt(number)).hash;
    },
  };
}
