import { chainOf } from '#core/chains/chains.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { DecodeError } from '#core/rpc/http/decode.ts';
import type { Rpc } from '#core/rpc/json-rpc.ts';
import {
  callContract,
  findBlockHeader,
  getBlock,
  getBlockHeader,
  getBlockHeaderByHash,
  getRawTransaction,
  getReceiptBytes,
  getStorageProof,
} from '#core/rpc/methods.ts';
import { type Call, type NodeResponse, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { rpcTo } from '#test/support/nodes/source.ts';

const ethereum = chainOf('ETHEREUM');

test.each<[string, Parameters<typeof callContract>[2], string]>([
  ['a number', 255, '0xff'],
  ['a tag', 'finalized', 'finalized'],
])('callContract asks at %s', async (_, at, tag) => {
  await using node = await startJsonRpcServer(() => ({ result: '0x01' }));
  const contract = { to: '0x6c', data: '0xbb' };
  expect(await callContract(rpcTo(endpointOf(ethereum, node.url)), contract, at)).toBe('0x01');
  expect(node.calls).toMatchObject([{ method: 'eth_call', params: [contract, tag] }]);
});

test('getRawTransaction returns hex, and refuses anything else', async () => {
  const read = async (answer: (call: Call) => NodeResponse) => {
    await using node = await startJsonRpcServer(answer);
    return await getRawTransaction(rpcTo(endpointOf(ethereum, node.url)), 16, 3);
  };
  expect(await read(({ params }) => ({ result: params.join() }))).toBe('0x10,0x3');
  await expect(read(() => ({ result: null }))).rejects.toMatchObject({ kind: 'unavailable' });
  await expect(read(() => ({ result: { raw: '0x' } }))).rejects.toMatchObject({ kind: 'invalid response' });
});

/** Answers every call so, and keeps the parameters. */
function answering(result: unknown) {
  const asked: unknown[] = [];
  const rpc: Rpc = async (method, params, decode) => {
    asked.push([method, ...params]);
    return decode(result);
  };
  return { rpc, asked };
}

test('only a block is read with whole transactions, a header with their hashes', async () => {
  const { rpc, asked } = answering({});
  await getBlock(rpc, 255);
  await getBlockHeader(rpc, 255);
  await findBlockHeader(rpc, 'latest');
  await getBlockHeaderByHash(rpc, '0xab');
  expect(asked).toEqual([
    ['eth_getBlockByNumber', '0xff', true],
    ['eth_getBlockByNumber', '0xff', false],
    ['eth_getBlockByNumber', 'latest', false],
    ['eth_getBlockByHash', '0xab', false],
  ]);
});

test('a block that an endpoint lacks is refused, unless it may not have it yet', async () => {
  const { rpc } = answering(null);
  await expect(getBlock(rpc, 1)).rejects.toThrow(DecodeError);
  expect(await findBlockHeader(rpc, 1)).toBeNull();
});

test('a block has at most 100,000 receipts', async () => {
  const receipts = Array<Uint8Array>(100_001).fill(Uint8Array.of(0));
  expect(await getReceiptBytes(answering(receipts.slice(1)).rpc, 1)).toHaveLength(100_000);
  await expect(getReceiptBytes(answering(receipts).rpc, 1)).rejects.toThrow('more than 100000');
});

describe('getStorageProof', () => {
  const read = (result: unknown) => getStorageProof(answering(result).rpc, '0x6c', 1n, 2);
  const nodes = (count: number) => Array<string>(count).fill('0x');

  test('returns at most 100 nodes of each of its two proofs', async () => {
    const proof = (accounts: number, slots: number) => ({
      accountProof: nodes(accounts),
      storageProof: [{ key: '0x1', proof: nodes(slots) }],
    });
    expect(await read(proof(100, 100))).toEqual({ accountProof: nodes(100), storageProof: nodes(100) });
    await expect(read(proof(101, 1))).rejects.toThrow('more than 100');
    await expect(read(proof(1, 101))).rejects.toThrow('more than 100');
  });

  test.each([
    ['null', null],
    ['a proof of no slot', { accountProof: [], storageProof: [] }],
    ['a slot that is null', { accountProof: [], storageProof: [null] }],
    ['proofs of two slots', { accountProof: [], storageProof: [{ proof: [] }, { proof: [] }] }],
  ])('refuses %s', async (_, result) => {
    await expect(read(result)).rejects.toThrow(DecodeError);
  });
});
