import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { createBody, ResponseError } from '#core/rpc/http/response-body.ts';

/** 100 bytes are big, and 1,000 too large. */
const limits = { largest: 1_000, streamed: 3_000, big: 100, minBytesPerSecond: 50 };

const never = () => {};
const open = (declared = NaN, onSlow: (error: Error) => void = never) =>
  createBody(declared, onSlow, { limits });
const bytes = (length: number) => Buffer.alloc(length, 'a');

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
  test('is refused at the chunk that exceeds the limit', async () => {
    const body = open();
    await body.add(bytes(999));
    expect(body.add(bytes(1))).toBeUndefined();
    expect(() => body.add(bytes(1))).toThrow(ResponseError);
    expect(body.bytes()).toHaveLength(1_000);
    body.close();
  });

  test('with a declared size over the limit is refused before it is read', () => {
    expect(() => open(1_001)).toThrow(ResponseError);
    expect(() => createBody(48 * 2 ** 20 + 1, never)).toThrow('the response is larger than 48 MB');
    open(1_000).close();
  });
});

describe('a body whose elements are taken as they arrive', () => {
  /** Takes all bytes but the last ten. */
  const taking = () => {
    let taken = 0;
    const take = (kept: Buffer) => {
      const done = Math.max(0, kept.length - 10);
      taken += done;
      return done;
    };
    return { elements: { ready: async () => {}, take }, taken: () => taken };
  };
  const openStream = (
    elements: { ready: () => Promise<void>; take: (kept: Buffer) => number },
    declared = NaN,
  ) => createBody(declared, never, { limits, elements });

  test('may be larger than what is in memory, up to its own limit', async () => {
    const { elements, taken } = taking();
    const body = openStream(elements, 3_000);
    for (let chunk = 0; chunk < 6; chunk++) await body.add(bytes(500));
    expect(taken()).toBe(2_990);
    expect(body.bytes()).toHaveLength(10);
    expect(() => body.add(bytes(1))).toThrow(ResponseError);
    body.close();
    expect(() => openStream(elements, 3_001)).toThrow(ResponseError);
  });

  test('is refused when an element does not fit into memory', async () => {
    const body = openStream({ ready: async () => {}, take: () => 0 });
    await body.add(bytes(600));
    expect(() => body.add(bytes(401))).toThrow(ResponseError);
    body.close();
  });

  test('takes nothing while it is small, or before it is ready', async () => {
    const { elements, taken } = taking();
    const ready = Promise.withResolvers<void>();
    const body = openStream({ ...elements, ready: () => ready.promise });
    expect(body.add(bytes(100))).toBeUndefined();
    const waiting = body.add(bytes(100));
    expect(await isSettled(waiting)).toBe(false);
    expect(taken()).toBe(0);
    ready.resolve();
    await waiting;
    expect(taken()).toBe(190);
    body.close();
  });

  test('lets another big body be read while it is not ready, which may depend on that', async () => {
    const ready = Promise.withResolvers<void>();
    const first = openStream({ ...taking().elements, ready: () => ready.promise });
    void first.add(bytes(200));
    const second = open();
    await second.add(bytes(200));
    second.close();
    ready.resolve();
    first.close();
  });

  test('fails with what it waits for', async () => {
    const errors: Error[] = [];
    const elements = { ...taking().elements, ready: () => Promise.reject(new Error('no block')) };
    const body = createBody(NaN, (error) => errors.push(error), { limits, elements });
    await expect(body.add(bytes(200))).rejects.toThrow('no block');
    expect(errors).toEqual([new Error('no block')]);
    body.close();
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
    expect(second.bytes()).toHaveLength(101);
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
    expect(await slow.promise).toMatchObject({ kind: 'timeout' });
    first.close();
  });

  test('neither delays a small one', async () => {
    const first = open();
    await first.add(bytes(101));
    const small = open();
    expect(small.add(bytes(100))).toBeUndefined();
    expect(small.bytes()).toHaveLength(100);
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
    expect(third.bytes()).toHaveLength(101);
    third.close();
  });
});
