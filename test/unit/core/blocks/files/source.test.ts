import {
  BLOCKS_PER_FILE,
  EraFileError,
  eraFilesAmong,
  problemOf,
  throwUnreadable,
  UnreadableError,
  unreadableBecause,
} from '#core/blocks/files/source.ts';
import { ProofError } from '#core/proof/encoding/proof-error.ts';

/* Proves which names are era files, and which errors say that a file is damaged. */

describe('eraFilesAmong', () => {
  test('lists files of each format once, in order, with the blocks that they may have', () => {
    const names = [
      'mainnet-00002-0123abcd.erae',
      'mainnet-00000-0123abcd.era1',
      'mainnet-00001-0123abcd-noproofs.ere',
    ];
    expect(eraFilesAmong([...names, ...names])).toEqual([
      { name: names[1], format: 'era1', first: 0, last: 8_191 },
      { name: names[2], format: 'ere', first: 8_192, last: 16_383 },
      { name: names[0], format: 'ere', first: 2 * BLOCKS_PER_FILE, last: 3 * BLOCKS_PER_FILE - 1 },
    ]);
  });

  test.each([
    'sepolia-00000-0123abcd.era1',
    'mainnet-0000-0123abcd.era1',
    'mainnet-00000-0123abc.era1',
    'mainnet-00000-0123ABCD.era1',
    'mainnet-00000-0123abcd.era',
    'mainnet-00000-0123abcd-proofs.ere',
    'mainnet-00000-0123abcd.era1.part',
    'a-mainnet-00000-0123abcd.era1',
    '../mainnet-00000-0123abcd.era1',
  ])('leaves out %s', (name) => {
    expect(eraFilesAmong([name])).toEqual([]);
  });
});

describe('problemOf', () => {
  test.each([
    ['may be read again', new UnreadableError('the disk is slow'), 'a: the disk is slow', false],
    ['is damaged', new EraFileError('no index'), 'a: no index', true],
    [
      'has a block that does not hash',
      new ProofError('receiptsRoot', 'wrong'),
      'a: receiptsRoot: wrong',
      true,
    ],
  ])('names a file that %s', (_, error, reason, isDamaged) => {
    expect(problemOf('a', error)).toEqual({ reason, isDamaged });
  });

  test('throws an error that says nothing about the file', () => {
    expect(() => problemOf('a', new TypeError('a bug'))).toThrow('a bug');
  });
});

describe('unreadableBecause', () => {
  test.each([
    [new Error('connection reset'), undefined, 'a.example: connection reset'],
    ['a text', new AbortController().signal, 'a.example: a text'],
    [
      new Error('This operation was aborted'),
      AbortSignal.abort(),
      'a.example: the run ended before it responded',
    ],
  ])('describes %p', (error, signal, message) => {
    expect(unreadableBecause('a.example', error, signal)).toEqual(new UnreadableError(message));
  });
});

test('throwUnreadable keeps the reason of the system', () => {
  expect(() => throwUnreadable(new Error('EACCES'))).toThrow(new UnreadableError('EACCES'));
});
