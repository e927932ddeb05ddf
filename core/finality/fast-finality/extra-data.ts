import type { BlockRef } from '../../figures/block.ts';
import { keccak256 } from '../../proof/encoding/keccak.ts';
import { ProofError } from '../../proof/encoding/proof-error.ts';
import { RlpReader } from '../../proof/encoding/rlp-reader.ts';

/*
 * The extra data that BSC's validators write into a header:
 * 32 vanity | in an epoch block: 1 count, count × (20 address, 48 vote key), 1 turn length since Bohr | votes as RLP | 65 seal.
 * https://github.com/bnb-chain/bsc consensus/parlia/parlia.go, `getValidatorBytesFromHeader` and `getVoteAttestationFromHeader`
 */

const VANITY = 32;
const SEAL = 65;
const ADDRESS = 20;
const VOTE_KEY = 48;

/** Votes of validators in a header. They justify the target. If the target is the block after the source, they make the source final. */
export interface Attestation {
  /** Bit `i`, counted from the lowest, is set if the `i`-th validator voted. */
  readonly votes: bigint;
  readonly signature: Buffer;
  /** The bytes that they signed. */
  readonly message: Uint8Array;
  readonly source: BlockRef;
  readonly target: BlockRef;
}

/** The form of extra data. It depends on the fork and the number of the block. */
export interface ExtraDataForm {
  readonly isEpochBlock: boolean;
  readonly hasTurnLength: boolean;
}

/**
 * Decodes the validators that an epoch block names: their public keys in hex, in the order of their addresses, and the number of blocks in
 * a row that each of them mines.
 * @returns undefined if they are malformed
 */
export function namedValidators(
  extraData: string,
  form: ExtraDataForm,
): { voteKeys: readonly string[]; turnLength: number } | undefined {
  const extra = bytesOf(extraData);
  const count = extra[VANITY] ?? 0;
  const end = endOfValidators(extra, form);
  if (!form.isEpochBlock || count === 0 || end > extra.length - SEAL) return undefined;
  const voteKeys: string[] = [];
  let before = '';
  for (let at = VANITY + 1; voteKeys.length < count; at += ADDRESS + VOTE_KEY) {
    const address = extra.toString('hex', at, at + ADDRESS);
    if (address <= before) return undefined;
    voteKeys.push(`0x${extra.toString('hex', at + ADDRESS, at + ADDRESS + VOTE_KEY)}`);
    before = address;
  }
  const turnLength = form.hasTurnLength ? (extra[end - 1] ?? 0) : 1;
  return turnLength === 0 ? undefined : { voteKeys, turnLength };
}

const endOfValidators = (extra: Buffer, { isEpochBlock, hasTurnLength }: ExtraDataForm): number =>
  isEpochBlock ? VANITY + 1 + (extra[VANITY] ?? 0) * (ADDRESS + VOTE_KEY) + (hasTurnLength ? 1 : 0) : VANITY;

/** Decodes the votes. @returns undefined if there are none, or if they are malformed, which nodes accept */
export function attestationIn(extraData: string, form: ExtraDataForm): Attestation | undefined {
  const extra = bytesOf(extraData);
  const [begin, end] = [endOfValidators(extra, form), extra.length - SEAL];
  try {
    // Nodes ignore bytes after the list.
    const list = new RlpReader(extra, begin, end).list('attestation');
    const votes = list.integer('votes');
    const signature = Buffer.from(list.fixed(96, 'signature').slice(2), 'hex');
    const data = list.payload('data');
    const message = Uint8Array.from(keccak256(data));
    const block = new RlpReader(data).list('data');
    const [source, target] = [readBlock(block), readBlock(block)];
    return block.isAtEnd() ? { votes, signature, message, source, target } : undefined;
  } catch (error) {
    if (error instanceof ProofError) return undefined;
    throw error;
  }
}

const readBlock = (list: RlpReader): BlockRef => ({
  number: Number(list.integer('number')),
  hash: list.fixed(32, 'hash'),
});

const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');
