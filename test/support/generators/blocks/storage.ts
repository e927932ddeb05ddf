import { createMerkleProof, createMPT, type MerklePatriciaTrie } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { toHex } from '#core/proof/encoding/hex.ts';
import { keccak256 } from '#core/proof/encoding/keccak.ts';

const bytesOf = (hex: string) => Buffer.from(hex.slice(2), 'hex');
const keyOf = (slot: bigint) => Buffer.from(slot.toString(16).padStart(64, '0'), 'hex');

const proofOf = async (trie: MerklePatriciaTrie, key: Uint8Array) =>
  (await createMerkleProof(trie, key)).map(toHex);

/** Returns the state of many accounts, of which one has storage, and the proof of a slot by another implementation. */
export async function stateWith(address: string, slots: ReadonlyMap<bigint, Uint8Array>) {
  const storage = await createMPT();
  for (const [slot, value] of slots) await storage.put(keccak256(keyOf(slot)), RLP.encode(value));
  const state = await createMPT();
  for (let index = 0; index < 200; index++) {
    const account = [
      Buffer.from([1]),
      Buffer.alloc(0),
      keccak256(Buffer.from([index])),
      keccak256(Buffer.alloc(0)),
    ];
    await state.put(keccak256(Buffer.alloc(20, index)), RLP.encode(account));
  }
  const own = [Buffer.from([1]), Buffer.alloc(0), storage.root(), keccak256(Buffer.from('code'))];
  await state.put(keccak256(bytesOf(address)), RLP.encode(own));
  const prove = async (slot: bigint) => ({
    accountProof: await proofOf(state, keccak256(bytesOf(address))),
    storageProof: await proofOf(storage, keccak256(keyOf(slot))),
  });
  return { root: toHex(state.root()), prove };
}
