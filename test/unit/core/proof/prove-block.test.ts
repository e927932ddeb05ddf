import { RLP } from '@ethereumjs/rlp';
import { type Chain, chainOf } from '#core/chains/chains.ts';
import { toHex } from '#core/proof/encoding/hex.ts';
import { stateSyncHash } from '#core/proof/hashed-body.ts';
import { decodeBlock, decodeReceipts } from '#core/proof/json/decode-block.ts';
import type { RpcBlock, RpcReceipt, RpcTransaction } from '#core/proof/json/rpc-types.ts';
import { proveBlock } from '#core/proof/prove-block.ts';
import { fullBlockFolders, readFullBlock } from '#test/support/generators/blocks/full-blocks.ts';
import { sealBlock } from '#test/support/generators/blocks/seal.ts';

/* Lies that are consistent with themselves, and differences between honest nodes. Single changes: mutations.slow.test.ts. */

interface Answers {
  readonly chain: Chain;
  readonly block: RpcBlock;
  readonly receipts: readonly RpcReceipt[];
}

function real(name: string): Answers {
  const full = readFullBlock(fullBlockFolders.small, `${name}.json`);
  return {
    chain: chainOf(full.chain),
    block: decodeBlock(full.block),
    receipts: decodeReceipts(full.receipts),
  };
}

const prove = ({ chain, block, receipts }: Answers) => proveBlock(chain, block, receipts);
const refusal = (answers: Answers) => {
  const result = prove(answers);
  return 'refused' in result ? result.refused : undefined;
};
const london = () => real('ETHEREUM-13998626');

test('refuses a base fee that is passed off as blob gas, which encodes alike', () => {
  const { baseFeePerGas, ...header } = london().block;
  const block = { ...header, ...(baseFeePerGas && { blobGasUsed: baseFeePerGas }) };
  expect(refusal({ ...london(), block })?.field).toBe('baseFeePerGas');
});

test('tells the operator to update when a header does not hash to its hash', () => {
  const block = { ...london().block, gasLimit: '0x1' };
  expect(refusal({ ...london(), block })?.message).toContain('this chain has forked: update Chain Insights');
});

test('refuses a changed transaction under a hash that fits the change', () => {
  const { block, ...rest } = london();
  const [first, ...others] = block.transactions;
  const changed = { ...(first as RpcTransaction), value: '0x1' };
  const hash = /but to (0x\w+)/.exec(
    refusal({ ...rest, block: { ...block, transactions: [changed, ...others] } })?.message ?? '',
  );
  expect(hash?.[1]).toMatch(/^0x[0-9a-f]{64}$/);
  const lie = { ...changed, hash: hash?.[1] ?? '' };
  expect(refusal({ ...rest, block: { ...block, transactions: [lie, ...others] } })?.field).toBe(
    'transactionsRoot',
  );
});

describe('answers of honest nodes', () => {
  const sameProof = (name: string, change: (receipt: RpcReceipt) => RpcReceipt) => {
    const { receipts, ...rest } = real(name);
    expect(prove({ ...rest, receipts: receipts.map(change) })).toEqual(prove(real(name)));
    expect(prove(real(name))).toHaveProperty('proven');
  };

  test('may have a derived status beside the root of before Byzantium, which is what the receipts root covers', () => {
    sameProof('ETHEREUM-1000000', (receipt) => ({ ...receipt, status: '0x1' }));
  });

  test.each(['0x', `0x${'0'.repeat(64)}`])('may have the root %s beside a status', (root) => {
    sameProof('ETHEREUM-13998626', (receipt) => ({ ...receipt, root }));
  });

  test.each(['ETHEREUM-1000000', 'ETHEREUM-13998626', 'OPTIMISM-105237730'])(
    'may lack the blooms of %s, which follow from the logs',
    (name) => sameProof(name, ({ logsBloom, ...receipt }) => receipt),
  );
});

describe('a price that a receipt states', () => {
  const withReceipt = (name: string, index: number, change: object) => {
    const { receipts, ...rest } = real(name);
    return refusal({
      ...rest,
      receipts: receipts.with(index, { ...(receipts[index] as RpcReceipt), ...change }),
    });
  };

  test('may be absent or null, and is refused if it is another than the derived one', () => {
    for (const effectiveGasPrice of [undefined, null])
      expect(withReceipt('ETHEREUM-13998626', 0, { effectiveGasPrice })).toBeUndefined();
    expect(withReceipt('ETHEREUM-13998626', 0, { effectiveGasPrice: '0x1' })).toMatchObject({
      field: 'receipts[0].effectiveGasPrice',
      message: expect.stringMatching(/^1 is not \d+, which follows from the block$/),
    });
  });

  test('hints at a fork if it is the price of blobs, whose schedule forks change', () => {
    const full = readFullBlock(fullBlockFolders.large, 'ETHEREUM-22196189.json.gz');
    const receipts = decodeReceipts(full.receipts);
    const index = receipts.findIndex(({ blobGasPrice }) => blobGasPrice);
    const lie = receipts.with(index, { ...(receipts[index] as RpcReceipt), blobGasPrice: '0x1' });
    expect(
      refusal({ chain: chainOf('ETHEREUM'), block: decodeBlock(full.block), receipts: lie }),
    ).toMatchObject({
      field: `receipts[${index}].blobGasPrice`,
      message: expect.stringMatching(
        /^1 is not 406, which follows from the block; if every endpoint .* forked/,
      ),
    });
  });
});

describe("Polygon's state-sync pseudo-transaction", () => {
  const empty = real('POLYGON-1000000');
  const hash = () => stateSyncHash(Number(empty.block.number), empty.block.hash);
  const transaction = () => ({ hash: hash(), gas: '0x0' });
  const receipt = () => ({ transactionHash: hash(), cumulativeGasUsed: '0x0', logsBloom: '0x', logs: [] });
  const withIt = (transactions: RpcTransaction[], receipts: RpcReceipt[]) =>
    prove({ ...empty, block: { ...empty.block, transactions }, receipts });

  test('counts when the body lists it, with or without a receipt', () => {
    const proven = { measures: { gasUsed: 0n, failedTransactions: 0n }, isProtocol: true };
    for (const receipts of [[], [receipt()], [{ ...receipt(), transactionHash: '0x' }]]) {
      expect(withIt([transaction()], receipts)).toMatchObject({ proven: { transactions: [proven] } });
    }
  });

  test('is refused where no sprint begins, for no one but the node has it', () => {
    const { chain, block } = empty;
    const { header } = sealBlock(chain, {
      header: { ...block, number: '0xf4241' },
      transactions: [],
      receipts: [],
    });
    const invented = { ...transaction(), hash: stateSyncHash(1_000_001, header.hash) };
    const proven = (transactions: object[]) =>
      proveBlock(chain, decodeBlock({ ...header, transactions }), decodeReceipts([]));
    expect(proven([])).toHaveProperty('proven');
    expect(proven([invented])).toHaveProperty('refused');
  });
});

const raw = Buffer.concat([
  Uint8Array.of(0x7f),
  RLP.encode([[1n, Buffer.alloc(20, 1), Buffer.from('data'), Buffer.alloc(32, 2)]]),
]);

test('a block with one state-sync transaction of type 0x7f is proven under any hash that the node gives it', () => {
  const { chain, block } = real('POLYGON-1000000');
  const sealed = sealBlock(chain, {
    header: { ...block, number: '0x4c60000' },
    transactions: [{ type: '0x7f', raw: toHex(raw) }],
    receipts: [{ type: '0x7f', status: '0x1', gasUsed: '0x0', logs: [] }],
  });
  const hash = `0x${'12'.repeat(32)}`;
  const transactions = sealed.transactions.map((one) => ({ ...one, hash }));
  const proven = proveBlock(
    chain,
    decodeBlock({ ...sealed.header, transactions }),
    decodeReceipts(sealed.receipts.map((one) => ({ ...one }))),
  );
  expect(proven).toMatchObject({ proven: { transactions: [{ type: 0x7f, isProtocol: true }] } });
});
