import type { PriceUpdate } from '../figures/dollars.ts';
import { isSameHex } from './encoding/hex.ts';
import type { Log } from './json/rpc-types.ts';

/*
 * Prices in the logs of receipts. Chainlink's aggregators record each one as an event of their own.
 * https://github.com/smartcontractkit/libocr: contract2/OCR2Aggregator.sol, `AnswerUpdated` and `NewTransmission`
 */

/** `AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)` */
export const ANSWER_UPDATED = '0x0559884fd3a460db3073b7fc896cc77986f16e378210ded43186175bf646fc5f';
/** `NewTransmission` of OCR1 and of OCR2: the round is indexed, and the answer is the first word of the data. */
export const NEW_TRANSMISSIONS: readonly string[] = [
  '0xf6a97944f31ea060dfde0566e4167c1a1082551e64b60ecb14d599a9d023d451',
  '0xc797025feeeaf2cd924c99e9205acb8ec04d5cad21c41ce637a38fb6dee6016a',
];

/** The prices that a block records, in order, and the first reason to doubt one. */
export interface BlockUpdates {
  readonly updates: readonly PriceUpdate[];
  readonly doubt?: string | undefined;
}

/**
 * Reads the prices that an aggregator recorded in a block.
 * @param receipts the logs of each receipt, proven
 * @param timestamp of the block, in seconds
 */
export function updatesIn(
  receipts: readonly (readonly Log[])[],
  aggregator: string,
  timestamp: number,
): BlockUpdates {
  const updates: PriceUpdate[] = [];
  let doubt: string | undefined;
  for (const logs of receipts) {
    const own = logs.filter(({ address }) => isSameHex(address, aggregator));
    for (const [index, log] of own.entries()) {
      if (!isUpdate(log)) continue;
      const update = decodeUpdate(log);
      doubt ??= doubtOf(update, own.slice(0, index), timestamp);
      updates.push(update);
    }
  }
  return { updates, doubt };
}

const isUpdate = ({ topics, data }: Log): boolean =>
  isSameHex(topics[0] ?? '', ANSWER_UPDATED) && topics.length === 3 && data.length === 2 + 2 * 32;

const decodeUpdate = ({ topics: [, answer = '0x0', round = '0x0'], data }: Log): PriceUpdate => ({
  answer: BigInt.asIntN(256, BigInt(answer)),
  round: BigInt(round),
  updatedAt: Number(BigInt(data)),
});

/** @param before the aggregator's earlier logs in the same receipt */
function doubtOf(
  { answer, round, updatedAt }: PriceUpdate,
  before: readonly Log[],
  timestamp: number,
): string | undefined {
  if (answer <= 0n) return `invalid: the price of round ${round} is ${answer}`;
  if (updatedAt !== timestamp)
    return `invalid: round ${round} is of ${updatedAt}, and its block of ${timestamp}`;
  const transmissions = before.filter(({ topics: [kind = ''] }) =>
    NEW_TRANSMISSIONS.includes(kind.toLowerCase()),
  );
  // Aggregators from before OCR do not emit `NewTransmission`.
  const isTransmitted =
    transmissions.length === 0 ||
    transmissions.some(
      ({ topics: [, transmitted = '0x0'], data }) =>
        BigInt(transmitted) === round && BigInt(data.slice(0, 2 + 2 * 32)) === answer,
    );
  return isTransmitted ? undefined : `invalid: no transmission of round ${round} has the price ${answer}`;
}
