import { chainOf } from '#core/chains/chains.ts';
import { NO_FEES } from '#core/figures/fee-parts.ts';
import { NO_MEASURES } from '#core/figures/measures.ts';
import { feeLogAddress, withoutDonatedGas } from '#core/proof/prices/redeems.ts';
import { addressOf, hashOf } from '#test/support/generators/blocks/builders.ts';

const SCHEDULED = '0x5ccd009502509cf28762c67858994d85b163bb6e451f5e9df7c5e18c9c2e123e';
const PRECOMPILE = '0x000000000000000000000000000000000000006E';
const ARBITRUM = chainOf('ARBITRUM');

interface Given {
  readonly type: number;
  /** Wei. */
  readonly fee: bigint;
  readonly limit?: number;
  /** Indexes of the redeems that its logs name. */
  readonly schedules?: readonly number[];
  readonly address?: string;
}

const logsOf = ({ schedules = [], address = PRECOMPILE }: Given) =>
  schedules.map((index) => ({
    address,
    topics: [SCHEDULED, hashOf('ticket'), hashOf(`transaction ${index}`).toUpperCase().replace('X', 'x')],
    data: '0x',
  }));

/** Returns what each transaction paid, and the donated part, at a base fee of 10 wei. */
const net = (all: readonly Given[], { baseFee }: { baseFee?: bigint } = { baseFee: 10n }) =>
  withoutDonatedGas(
    ARBITRUM.rules,
    all.map(({ type, fee }) => ({
      type,
      fees: { ...NO_FEES, execution: fee },
      measures: NO_MEASURES,
      isProtocol: false,
    })),
    {
      hashOf: (index) => hashOf(`transaction ${index}`),
      limitOf: (index) => all[index]?.limit?.toString(),
      logsOf: (index) => logsOf(all[index] as Given),
      baseFee,
    },
  ).map(({ fees }) => [fees.execution, fees.retryableDoubleCount]);

test.each([
  ['a submission', 0x69],
  ['a call by hand', 2],
])('%s pays for its own gas, and the redeem for the gas that it used', (_, type) => {
  expect(
    net([
      { type, fee: 700n, schedules: [1] },
      { type: 0x68, fee: 30n, limit: 50 },
    ]),
  ).toEqual([
    [200n, 500n],
    [30n, 0n],
  ]);
});

test.each([
  ['that no log names', [{ type: 2, fee: 700n }]],
  ['that a log of another contract names', [{ type: 2, fee: 700n, schedules: [1], address: addressOf('a') }]],
])('refuses a redeem %s', (_, payers) => {
  expect(() => net([...payers, { type: 0x68, fee: 30n, limit: 50 }])).toThrow(
    expect.objectContaining({ field: 'transactions[1]' }),
  );
});

test('refuses a redeem before its payer, above the fees of its payer, or without a limit or a base fee', () => {
  const payer = { type: 2, fee: 499n, schedules: [1] };
  expect(() => net([{ type: 0x68, fee: 0n, limit: 1, schedules: [0] }])).toThrow('no log before it');
  expect(() => net([payer, { type: 0x68, fee: 0n, limit: 50 }])).toThrow('more than the gas');
  expect(() => net([payer, { type: 0x68, fee: 0n }])).toThrow('the node left it out');
  expect(() => net([payer, { type: 0x68, fee: 0n, limit: 1 }], {})).toThrow(
    expect.objectContaining({ field: 'transactions[1].baseFeePerGas' }),
  );
});

test('a payer may donate all of its fees, to several redeems, and a redeem schedules others', () => {
  const all = [
    { type: 2, fee: 800n, schedules: [1, 2] },
    { type: 0x68, fee: 200n, limit: 50, schedules: [3] },
    { type: 0x68, fee: 30n, limit: 30 },
    { type: 0x68, fee: 40n, limit: 15 },
  ];
  expect(net(all)).toEqual([
    [0n, 800n],
    [50n, 150n],
    [30n, 0n],
    [40n, 0n],
  ]);
});

test('only logs of Arbitrum decide fees', () => {
  expect(feeLogAddress(ARBITRUM.rules)).toBe(PRECOMPILE.toLowerCase());
  expect(feeLogAddress(chainOf('ETHEREUM').rules)).toBeUndefined();
});
