import { chainOf } from '#core/chains/chains.ts';
import { LAST_SECOND } from '#core/figures/calendar.ts';
import { bucketOf } from '#core/figures/fee-buckets.ts';
import { NO_FEES } from '#core/figures/fee-parts.ts';
import { NO_MEASURES } from '#core/figures/measures.ts';
import { ProofError } from '#core/proof/encoding/proof-error.ts';
import type { RpcHeader } from '#core/proof/json/rpc-types.ts';
import type { ProvenTransaction } from '#core/proof/prices/prices.ts';
import { type ProvenBlock, placeOf, proofOf, STATE_SYNC, unprovenIn } from '#core/proof/proven-block.ts';
import { header } from '#test/support/generators/blocks/builders.ts';
import { hex } from '#test/support/generators/blocks/seal.ts';

/* Proves how the figures of a block add up, and which sums and places no real block has. prove-block.test.ts proves blocks. */

const paying = (fees: Partial<ProvenTransaction['fees']>, gasUsed = 21_000n): ProvenTransaction => ({
  ...{ type: 2, isProtocol: false },
  fees: { ...NO_FEES, ...fees },
  measures: { ...NO_MEASURES, gasUsed },
});
const sumsOf = (...transactions: readonly ProvenTransaction[]) => {
  const block: ProvenBlock = { ...header(), unproven: undefined, transactions };
  const proof = proofOf(() => block);
  if ('refused' in proof) throw proof.refused;
  return proof.sums;
};

describe('proofOf', () => {
  test('sums all transactions, and tells those of the protocol apart', () => {
    const redeem = { ...paying({ execution: 5n }, 7n), isProtocol: true };
    const { totals } = sumsOf(paying({ execution: 3n, blob: 2n }), redeem, STATE_SYNC);
    expect(totals).toMatchObject({
      ...{ blocks: 1, transactions: 3, protocolTransactions: 2 },
      fees: { ...NO_FEES, execution: 8n, blob: 2n },
      measures: { gasUsed: 21_007n },
    });
  });

  test('counts the fees of those that pay, by the sum of their parts', () => {
    expect(
      sumsOf(paying({ execution: 3n, l1Data: 4n }), paying({}), paying({ blob: 1n })).feeBuckets,
    ).toEqual([bucketOf(7n), bucketOf(1n)]);
  });

  const all = 10n ** 29n;

  test.each([
    ['fees of all coins', [paying({ execution: all })], undefined],
    ['more fees than that', [paying({ execution: all }), paying({ blob: 1n })], 'transactions'],
    ['more double counts than that', [paying({ retryableDoubleCount: all + 1n })], 'transactions'],
    ['gas of 64 bits', [paying({}, 2n ** 64n - 1n)], undefined],
    ['more gas than that', [paying({}, 2n ** 64n - 1n), paying({}, 1n)], 'gasUsed'],
  ])('a block may have %s, or is refused', (_, transactions, field) => {
    const sum = () => sumsOf(...transactions);
    if (field === undefined) sum();
    else expect(sum).toThrow(expect.objectContaining({ field }));
  });

  test('returns a refusal, and throws every other error', () => {
    const refused = new ProofError('hash', 'why');
    const throwing = (error: Error) => () =>
      proofOf(() => {
        throw error;
      });
    expect(throwing(refused)()).toEqual({ refused });
    expect(throwing(new TypeError('a bug'))).toThrow('a bug');
  });
});

describe('placeOf', () => {
  const place = { number: hex(7), hash: '0x12', parentHash: '0xAB', timestamp: hex(LAST_SECOND) };

  test('decodes a place, with the parent in lower case', () => {
    expect(placeOf(place)).toEqual({ number: 7, hash: '0x12', parentHash: '0xab', timestamp: LAST_SECOND });
  });

  test('refuses a time after the year 9999', () => {
    expect(() => placeOf({ ...place, timestamp: hex(LAST_SECOND + 1) })).toThrow(
      expect.objectContaining({ field: 'timestamp' }),
    );
  });
});

describe('unprovenIn', () => {
  const at = (number: number) => ({ number: hex(number) }) as RpcHeader;

  test('refuses blocks before Nitro, and names the L1 fee of blocks before Bedrock', () => {
    const [arbitrum, optimism] = [chainOf('ARBITRUM'), chainOf('OPTIMISM')];
    expect(() => unprovenIn(arbitrum, at(22_207_817))).toThrow(
      'block 22207817 cannot be proven: before Nitro',
    );
    expect(unprovenIn(arbitrum, at(22_207_818))).toBeUndefined();
    expect(unprovenIn(optimism, at(105_235_062))).toMatchObject({ what: 'l1Fee' });
    expect(unprovenIn(optimism, at(105_235_063))).toBeUndefined();
  });
});
