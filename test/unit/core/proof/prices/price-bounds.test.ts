import fc from 'fast-check';
import { type ChainName, chainNames, chainOf } from '#core/chains/chains.ts';
import { isKnownType } from '#core/chains/transaction-types.ts';
import { checkBlock } from '#core/proof/check-block.ts';
import { decodeCheckedBlock, decodeCheckedReceipts } from '#core/proof/json/decode-block.ts';
import { effectiveGasPrice } from '#core/proof/prices/eip1559.ts';
import { checkBounds } from '#core/proof/prices/price-bounds.ts';
import {
  fullBlockFolders,
  fullBlockNames,
  readFullBlock,
} from '#test/support/generators/blocks/full-blocks.ts';
import { hex } from '#test/support/generators/blocks/seal.ts';

interface Given {
  readonly chain?: ChainName;
  readonly number?: number;
  readonly baseFee?: bigint | undefined;
  /** Pays 2 wei for each of 21,000 gas unless given. */
  readonly receipt?: {
    readonly [Name in 'type' | 'gasUsed' | 'effectiveGasPrice' | 'blobGasPrice']?: Amount;
  };
  readonly offer?: { readonly [Name in 'gas' | 'gasPrice' | 'maxFeePerGas' | 'maxFeePerBlobGas']?: Amount };
}
type Amount = number | bigint | undefined;

const inHex = <T extends object>(given: T) =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, hex(value)]])),
  );

/** Checks a transfer with a base fee of 2 wei unless given. */
function check({ chain = 'ETHEREUM', number = 30_000_000, receipt, offer = {}, ...given }: Given): void {
  const stated = { type: 0, gasUsed: 21_000, effectiveGasPrice: 2, ...receipt };
  const { type = '', gasUsed = '', ...prices } = inHex(stated);
  const baseFee = 'baseFee' in given ? given.baseFee : 2n;
  const header = { number: hex(number), ...inHex({ baseFeePerGas: baseFee }) };
  checkBounds(chainOf(chain).rules, header, { type, gasUsed, ...prices }, inHex(offer));
}

test.each([
  [{ offer: { gas: 20_999n } }, 'gasUsed 21000 is above the gas limit 20999'],
  [{ receipt: { effectiveGasPrice: 3n }, offer: { gasPrice: 2n } }, 'effectiveGasPrice 3 is above'],
  [
    { receipt: { type: 2, effectiveGasPrice: 10n }, offer: { maxFeePerGas: 9n } },
    'effectiveGasPrice 10 is above',
  ],
  [{ baseFee: 3n }, 'the base fee 3 is above effectiveGasPrice 2'],
  [
    { chain: 'ARBITRUM', receipt: { effectiveGasPrice: 3n }, offer: { gasPrice: 9n } },
    'effectiveGasPrice 3 is above',
  ],
  [
    { receipt: { type: 3, blobGasPrice: 5n }, offer: { maxFeePerBlobGas: 4n } },
    'blobGasPrice 5 is above the offer 4',
  ],
] satisfies [Given, string][])('refuses case %#, and names the bound', (given, problem) => {
  expect(() => check(given)).toThrow(problem);
});

/** Wei or gas, also 0, which system transactions of BSC pay. */
const amount = fc.bigInt({ min: 0n, max: 1n << 64n });
const types = Array.from({ length: 0x80 }, (_, type) => type);
/** A transaction of any chain and type that a block may include: it offers at least the base fee, and its tip at most its offer. */
const included = fc
  .record({ chain: fc.constantFrom(...chainNames), at: fc.nat(), isLondon: fc.boolean() })
  .chain(({ chain, at, isLondon }) => {
    const hasBaseFee = isLondon || chainOf(chain).rules.family === 'arbitrum';
    const known = types.filter((type) => isKnownType(chainOf(chain).rules, type));
    const type = hasBaseFee ? (known[at % known.length] ?? 0) : at % 2;
    const baseFee = hasBaseFee ? amount : fc.constant(undefined);
    return fc.record({
      chain: fc.constant(chain),
      type: fc.constant(type),
      baseFee,
      more: amount,
      tip: amount,
      gasUsed: amount,
      unused: amount,
      blobPrice: amount,
    });
  });

test('accepts the price that a proof derives, of each chain, type and era', () => {
  fc.assert(
    fc.property(included, ({ chain, type, baseFee, more, tip, gasUsed, unused, blobPrice }) => {
      const { rules } = chainOf(chain);
      const offered = (baseFee ?? 0n) + more;
      const price = effectiveGasPrice(
        rules,
        type,
        { gasPrice: offered, maxFeePerGas: offered, maxPriorityFeePerGas: tip < offered ? tip : offered },
        baseFee,
        gasUsed,
      );
      const receipt = { type, gasUsed, effectiveGasPrice: price, blobGasPrice: blobPrice };
      const offer = { maxFeePerGas: offered, maxFeePerBlobGas: blobPrice + more, gas: gasUsed + unused };
      const given = { chain, number: 400_000_000, baseFee, receipt, offer: { ...offer, gasPrice: offered } };
      expect(() => check(given)).not.toThrow();
    }),
  );
});

test.each(fullBlockNames(fullBlockFolders.small))('%s keeps all bounds', (name) => {
  const { chain, block, receipts } = readFullBlock(fullBlockFolders.small, name);
  const checked = checkBlock(chainOf(chain), decodeCheckedBlock(block), decodeCheckedReceipts(receipts));
  expect(checked).toHaveProperty('sums.totals.transactions', receipts.length);
});
