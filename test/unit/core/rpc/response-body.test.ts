import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { createBody, ResponseTooLargeError, ResponseTooSlowError } from '#core/rpc/response-body.ts';

/** 100 bytes are big, and 1,000 too large. */
const limits = { largest: 1_000, big: 100, minBytesPerSecond: 50 };

const never = () => {};
const open = (declared = NaN, onSlow: (error: Error) => void = never) => createBody(declared, onSlow, limits);
const bytes = (length: number) => Buffer.alloc(length, 'a');
const asText = (body: Buffer) => body.toString();

/** Returns whether a promise is settled already. */
async function isSettled(promise: Promise<unknown> | undefined): Promise<boolean> {
  let settled = false;
  void promise?.then(() => {
    settled = true;
  });
  await turnOfTheLoop();
  return settled;
}

describe('a body', () => {
  test('joins its chunks and returns the result of passTo', () => {
    const body = open();
    for (const byte of Buffer.from('{"é":"€😀"}')) expect(body.add(Buffer.of(byte))).toBeUndefined();
    expect(body.passTo((bytes) => JSON.parse(bytes.toString()))).toEqual({ é: '€😀' });
    body.close();
  });

  test('without a chunk is empty', () => {
    expect(open().passTo(asText)).toBe('');
  });

  test('that is big joins its chunks too', async () => {
    const body = open();
    void body.add(bytes(60));
    await body.add(bytes(60));
    expect(body.add(bytes(60))).toBeUndefined();
    expect(body.passTo(asText)).toBe('a'.repeat(180));
    body.close();
  });

  test('is refused at the chunk that exceeds the limit', async () => {
    const body = open();
    await body.add(bytes(999));
    expect(body.add(bytes(1))).toBeUndefined();
    expect(() => body.add(bytes(1))).toThrow(ResponseTooLargeError);
    expect(body.passTo(asText)).toHaveLength(1_000);
    body.close();
  });

  test('with a declared size over the limit is refused before it is read', () => {
    expect(() => open(1_001)).toThrow(ResponseTooLargeError);
    expect(() => createBody(96 * 2 ** 20 + 1, never)).toThrow('the response is larger than 96 MB');
    open(1_000).close();
  });
});

describe('of two big bodies', () => {
  test('the second waits until the first is closed', async () => {
    const first = open();
    const second = open();
    await first.add(bytes(101));
    const turn = second.add(bytes(101));
    expect(await isSettled(turn)).toBe(false);
    first.close();
    await turn;
    expect(second.passTo(asText)).toHaveLength(101);
    second.close();
  });

  test('the second is read until it is big, whatever size it declares', async () => {
    const first = open();
    const second = open(300);
    await first.add(bytes(101));
    expect(second.add(bytes(100))).toBeUndefined();
    const turn = second.add(bytes(1));
    expect(await isSettled(turn)).toBe(false);
    first.close();
    await turn;
    second.close();
  });

  test('the first is given up when it arrives at less than the minimum rate', async () => {
    const slow = Promise.withResolvers<Error>();
    const first = open(NaN, slow.resolve);
    await first.add(bytes(101));
    void first.add(bytes(49));
    expect(await slow.promise).toBeInstanceOf(ResponseTooSlowError);
    first.close();
  });

  test('neither delays a small one', async () => {
    const first = open();
    await first.add(bytes(101));
    const small = open();
    expect(small.add(bytes(100))).toBeUndefined();
    expect(small.passTo(asText)).toHaveLength(100);
    first.close();
  });

  test('the second can be closed while it waits, and a third follows the first', async () => {
    const [first, second, third] = [open(), open(), open()];
    await first.add(bytes(101));
    const turns = [second.add(bytes(101)), third.add(bytes(101))];
    second.close();
    expect(await isSettled(turns[1])).toBe(false);
    first.close();
    await Promise.all(turns);
    expect(third.passTo(asText)).toHaveLength(101);
    third.close();
  });
});
