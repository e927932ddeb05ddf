/*
 * Emits WebAssembly that computes keccak-f[1600] of two states at once, one in each half of 128-bit vectors:
 * https://keccak.team/keccak_specs_summary.html. V8 compiles it to vector instructions, so two messages take little longer than one.
 */

/** Bytes of a message that each permutation absorbs. */
export const RATE = 136;
export const HASH = 32;
const STATE_WORDS = 25;
const ROUNDS = 24;

/** Positions in memory: the round constants, then both states, word by word in turn. */
const CONSTANTS = 0;
const STATES = 256;
/** The first byte of memory that is free for messages and hashes. */
export const FREE = 1024;
export const PAGE = 65_536;

export interface Kernel {
  readonly memory: { readonly buffer: ArrayBuffer };
  /**
   * Absorbs a block of `RATE` bytes into each state, those at positions `a` and `b`, permutes both states, and writes the first `HASH`
   * bytes of each to `toA` and `toB`. To continue a state, `keepA` or `keepB` is -1; to begin with an empty one, 0.
   */
  readonly absorb: (a: number, b: number, keepA: number, keepB: number, toA: number, toB: number) => void;
}

/** The part of the engine's API that we use. TypeScript declares it only among the browser's types. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Kernel };
};

/** Compiles the kernel, which takes a few milliseconds. */
export function createKernel(pages: number): Kernel {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(moduleOf(pages)));
  new BigUint64Array(exports.memory.buffer, CONSTANTS).set(roundConstants());
  return exports;
}

/** Returns the constants of iota: bits of a linear feedback shift register. */
function roundConstants(): readonly bigint[] {
  let register = 1;
  return Array.from({ length: ROUNDS }, () => {
    let constant = 0n;
    for (let bit = 0; bit <= 6; bit++) {
      if (register & 1) constant |= 1n << BigInt(2 ** bit - 1);
      register = (register << 1) ^ ((register >>> 7) * 0x171);
    }
    return constant;
  });
}

/** For each word of a permuted state: the word that rho and pi move there, and by how many bits they rotate it. */
function moves(): readonly { readonly from: number; readonly bits: number }[] {
  const to: { from: number; bits: number }[] = [{ from: 0, bits: 0 }];
  let [x, y] = [1, 0];
  for (let step = 1; step < STATE_WORDS; step++) {
    const next = (2 * x + 3 * y) % 5;
    to[y + 5 * next] = { from: x + 5 * y, bits: ((step * (step + 1)) / 2) % 64 };
    [x, y] = [y, next];
  }
  return to;
}

type Code = readonly number[];
const code = (...parts: readonly Code[]): Code => parts.flat();

/* Instructions and sections: https://webassembly.github.io/spec/core/binary/. */

const I32 = 0x7f;
const V128 = 0x7b;
const FUNCTION = 0x60;
const END = 0x0b;

/** Unsigned LEB128. */
function leb(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)];
}

const get = (local: number): Code => [0x20, local];
const set = (local: number): Code => [0x21, local];
const tee = (local: number): Code => [0x22, local];
/** Two bytes of signed LEB128, enough for 0 to 8191. */
const i32 = (value: number): Code => [0x41, (value & 0x7f) | 0x80, value >>> 7];
const vector = (opcode: number, ...immediates: Code[]): Code => code([0xfd], leb(opcode), ...immediates);
/** Immediates of an access to memory that is aligned to 8 bytes. */
const at = (offset: number): Code => [3, ...leb(offset)];

const load = (offset: number): Code => vector(0x00, at(offset));
const loadTwice = (offset: number): Code => vector(0x0a, at(offset));
const loadLow = (offset: number): Code => vector(0x5d, at(offset));
const loadHigh = (offset: number): Code => vector(0x57, at(offset), [1]);
const store = (offset: number): Code => vector(0x0b, at(offset));
const storeHalf = (offset: number, half: number): Code => vector(0x5b, at(offset), [half]);
const and = vector(0x4e);
const andNot = vector(0x4f);
const or = vector(0x50);
const xor = vector(0x51);
const shiftLeft = vector(0xcb);
const shiftRight = vector(0xcd);
/** A loop without a result, and a branch to the beginning of the innermost one. */
const loop: Code = [0x03, 0x40];
const repeatIf: Code = [0x0d, 0];
const add: Code = [0x6a];
const isOther: Code = [0x47];
const widen: Code = [0xac];
const splat = vector(0x12);
const setHigh = vector(0x1e, [1]);

/* Locals: the parameters, the position of the next round's constant, and vectors. */

const [A, B, KEEP_A, KEEP_B, TO_A, TO_B] = [0, 1, 2, 3, 4, 5];
const CONSTANT = 6;
const TEMPORARY = 7;
const word = (index: number): number => 8 + index;
const permuted = (index: number): number => word(STATE_WORDS + index);
const parity = (x: number): number => permuted(STATE_WORDS + (x % 5));
const effect = (x: number): number => parity(4) + 1 + x;
const moved = (x: number): number => effect(4) + 1 + (x % 5);
const VECTORS = moved(4) + 1 - TEMPORARY;

const five = [0, 1, 2, 3, 4];
const words = Array.from({ length: STATE_WORDS }, (_, index) => index);

const rotate = (value: Code, bits: number): Code =>
  bits === 0
    ? value
    : code(value, tee(TEMPORARY), i32(bits), shiftLeft, get(TEMPORARY), i32(64 - bits), shiftRight, or);

/** Loads each word of the states before, or 0. */
const loadStates = (): Code => [
  ...code(get(KEEP_A), widen, splat, get(KEEP_B), widen, setHigh, set(TEMPORARY)),
  ...words.flatMap((index) => code(i32(0), load(STATES + 16 * index), get(TEMPORARY), and, set(word(index)))),
];

/** Xors each word of the blocks with one of the states. */
const absorbBlocks = (): Code =>
  words.slice(0, RATE / 8).flatMap((index) => {
    const block = code(get(B), get(A), loadLow(8 * index), loadHigh(8 * index));
    return code(block, get(word(index)), xor, set(word(index)));
  });

const theta = (): Code => [
  ...five.flatMap((x) => {
    const column = five.flatMap((y) => code(get(word(x + 5 * y)), y > 0 ? xor : []));
    return code(column, set(parity(x)));
  }),
  ...five.flatMap((x) => code(get(parity(x + 4)), rotate(get(parity(x + 1)), 1), xor, set(effect(x)))),
];

/** Works row by row, so that few vectors are in use at once. */
const rhoPiChi = (): Code => {
  const from = moves();
  return five.flatMap((y) => [
    ...five.flatMap((x) => {
      const { from: source, bits } = from[x + 5 * y] as { from: number; bits: number };
      return code(rotate(code(get(word(source)), get(effect(source % 5)), xor), bits), set(moved(x)));
    }),
    ...five.flatMap((x) => {
      const others = code(get(moved(x + 2)), get(moved(x + 1)), andNot);
      return code(get(moved(x)), others, xor, set(permuted(x + 5 * y)));
    }),
  ]);
};

const iota = (): Code => [
  ...code(get(permuted(0)), get(CONSTANT), loadTwice(CONSTANTS), xor, set(word(0))),
  ...words.slice(1).flatMap((index) => code(get(permuted(index)), set(word(index)))),
];

/** A loop over the position of the constant, which begins at 0. */
const rounds = (): Code => {
  const next = code(get(CONSTANT), i32(8), add, tee(CONSTANT));
  return code(loop, theta(), rhoPiChi(), iota(), next, i32(8 * ROUNDS), isOther, repeatIf, [END]);
};

const storeStates = (): Code => [
  ...words.flatMap((index) => code(i32(0), get(word(index)), store(STATES + 16 * index))),
  ...words.slice(0, HASH / 8).flatMap((index) => {
    const first = code(get(TO_A), get(word(index)), storeHalf(8 * index, 0));
    return code(first, get(TO_B), get(word(index)), storeHalf(8 * index, 1));
  }),
];

const sized = (content: Code): Code => [...leb(content.length), ...content];
const section = (id: number, content: Code): Code => [id, ...sized(content)];
const exported = (name: string, kind: number): Code => [...sized([...Buffer.from(name)]), kind, 0];

function moduleOf(pages: number): Uint8Array {
  const locals = [2, 1, I32, VECTORS, V128];
  const body = [...locals, ...loadStates(), ...absorbBlocks(), ...rounds(), ...storeStates(), END];
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, FUNCTION, 6, I32, I32, I32, I32, I32, I32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, ...leb(pages)]),
    ...section(7, [2, ...exported('memory', 2), ...exported('absorb', 0)]),
    ...section(10, [1, ...sized(body)]),
  ]);
}
