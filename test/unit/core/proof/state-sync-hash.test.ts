import { stateSyncHash } from '#core/proof/state-sync-hash.ts';

// The last transaction of POLYGON 10000000, whose sprint ended with state-sync events.
const NUMBER = 10_000_000;
const BLOCK = '0x57d179b4ed2379580c46d9809c8918e28c4f1debea8e15013749694f37c14105';
const TRANSACTION = '0x591ca00bf6b404e24e21732023abc0416673beff9586f37e61fb0f07ca560940';

test('derives the hash that a real block lists', () => {
  expect(stateSyncHash(NUMBER, BLOCK)).toBe(TRANSACTION);
});
