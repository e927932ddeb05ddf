/** A real block of Ethereum whose fees were computed from its bytes. A test does it again. */
export interface RecordedFees {
  readonly number: number;
  readonly date: string;
  readonly transactions: number;
  /** In ether. */
  readonly fees: string;
  /** The repository on GitHub that published the block. */
  readonly source: string;
}

const rows: readonly (readonly [number, string, number, string, string])[] = [
  [468_179, '2015-10-31', 1, '0.00105', 'coinbase/chainstorage'],
  [1_000_000, '2016-02-13', 2, '0.003614887722', 'subsquid/squid-sdk'],
  [4_369_999, '2017-10-16', 22, '0.077719474698449583', 'subsquid/squid-sdk'],
  [7_280_016, '2019-02-28', 91, '0.03198144598868195', 'coinbase/chainstorage'],
  [13_998_626, '2022-01-13', 7, '0.108985171685612978', 'coinbase/chainstorage'],
  [15_537_393, '2022-09-15', 1, '1.301358596985752877', 'ethereum/portal-spec-tests'],
  [15_537_394, '2022-09-15', 80, '46.494902574979045804', 'ethereum/portal-spec-tests'],
  [17_034_869, '2023-04-12', 93, '0.220230742041577528', 'ethereum/portal-spec-tests'],
  [17_034_870, '2023-04-12', 184, '0.609808698408446394', 'ethereum/portal-spec-tests'],
  [17_053_184, '2023-04-15', 125, '0.338261711167822095', 'coinbase/chainstorage'],
  [18_500_000, '2023-11-04', 157, '0.450943315893129106', 'subsquid/squid-sdk'],
  [19_426_586, '2024-03-13', 127, '1.022901685309262277', 'ethereum/portal-spec-tests'],
  [19_426_587, '2024-03-13', 37, '0.19115030122655809', 'ethereum/portal-spec-tests'],
  [20_066_032, '2024-06-11', 43, '0.025851346294414325', 'erigontech/rpc-tests'],
  [22_196_189, '2025-04-04', 274, '0.023058014931548547', 'corpus-core/colibri-stateless'],
  [22_432_102, '2025-05-07', 215, '0.060332629070443471', 'corpus-core/colibri-stateless'],
  [22_869_878, '2025-07-07', 301, '0.117136618537154932', 'ethereum/portal-spec-tests'],
  [24_476_005, '2026-02-17', 109, '0.006955466776067731', 'ethereumjs/ethereumjs-monorepo'],
];

/** Those in test/fixtures with all of their receipts, in their order. */
export const recordedBlocks: readonly RecordedFees[] = rows.map(
  ([number, date, transactions, fees, source]) => ({ number, date, transactions, fees, source }),
);
