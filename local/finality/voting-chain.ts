import type { FastFinalityRules } from '../../core/chains/finality-rules.ts';
import type { BlockRef } from '../../core/figures/block.ts';
import { formOf } from '../../core/finality/fast-finality/rules.ts';
import { keccak256, loadKeccak } from '../../core/proof/encoding/keccak.ts';
import { RlpWriter } from '../../core/proof/encoding/rlp.ts';
import { headerHash } from '../../core/proof/header.ts';
import type { RpcHeader } from '../../core/proof/json/rpc-types.ts';
import { type DevelopmentKey, keyOf, sign, sumOf } from './keys.ts';

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
  const keys = Array.from({ length: VALIDATORS }, (_, index) => keyOf(`${name} ${index}`));
  const all = sumOf(keys);
  const validators = keys.flatMap(({ publicKey }, index) => [Buffer.alloc(20, index + 1), publicKey]);
  const headers: RpcHeader[] = [];
  const refOf = (number: number): BlockRef => ({ number, hash: headers[number]?.hash ?? '' });
  const extraDataOf = (header: RpcHeader): string => {
    const number = Number(header.number);
    const { isEpochBlock, hasTurnLength } = formOf(rules, header);
    const named = [Buffer.of(VALIDATORS), ...validators, Buffer.alloc(hasTurnLength ? 1 : 0, 1)];
    const votes = hasVotes(number) ? [votesFor(all, refOf(number - 2), refOf(number - 1))] : [];
    return `0x${Buffer.concat([Buffer.alloc(32), ...(isEpochBlock ? named : []), ...votes, Buffer.alloc(65)]).toString('hex')}`;
  };
  const makeNext = async () => {
    const header = await readHeader(headers.length);
    const parentHash = headers.at(-1)?.hash ?? header.parentHash;
    const changed = { ...header, parentHash, extraData: extraDataOf(header) };
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
    /** Returns the number of a block by its hash. */
    numberOf: (hash: string): number | undefined => {
      const number = headers.findIndex((header) => header.hash === hash);
      return number < 0 ? undefined : number;
    },
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
