import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { checkBlock } from '#core/proof/check-block.ts';
import { decodeCheckedBlock, decodeCheckedReceipts } from '#core/proof/json/decode-block.ts';
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

test.each(fullBlockNames(fullBlockFolders.small))('%s keeps all bounds', (name) => {
  const { chain, block, receipts } = readFullBlock(fullBlockFolders.small, name);
  const checked = checkBlock(chainOf(chain), decodeCheckedBlock(block), decodeCheckedReceipts(receipts));
  expect(checked).toHaveProperty('sums.totals.transactions', receipts.length);
});
