import fc from 'fast-check';
import { blockEvidences } from '#core/figures/day-figures.ts';
import { ProofError } from '#core/proof/encoding/proof-error.ts';
import { hasMultiGasConstraints } from '#core/proof/fields/tripwires.ts';
import {
  decodeBlock,
  decodeCheckedBlock,
  decodeCheckedHeader,
  decodeCheckedReceipts,
  decodeHeader,
  decodeReceipts,
} from '#core/proof/json/decode-block.ts';
import { DecodeError, decodeQuantity, list } from '#core/rpc/http/decode.ts';
import { largeJson, largeSizes } from './large-json.ts';
import {
  bodyOf,
  chainsOfFamilies,
  fullBlocks,
  rawAnswersTo,
  readBlockOf,
  readHeaderOf,
  readRawOf,
  withJson,
} from './node-answers.ts';
import { type FuzzTarget, fuzzTarget, hostileJson, hostileText } from './target.ts';

/* Responses of nodes. */

const evidence = fc.constantFrom(...blockEvidences);
const fullBlock = fc.constantFrom(...fullBlocks);
const place = fc.nat();

const decoders: Readonly<Record<string, (value: unknown) => unknown>> = {
  decodeBlock,
  decodeReceipts,
  decodeHeader,
  decodeCheckedHeader,
  decodeCheckedBlock,
  decodeCheckedReceipts,
  decodeQuantity,
  list: list(decodeQuantity, 3),
};

/** Spellings of numbers and hex that decoders look at closely. */
const almostHex = fc.oneof(
  fc.constantFrom(
    '0x',
    '0X1',
    '0x-1',
    '-0x1',
    ' 0x1',
    '0x1\n',
    '0xg',
    '0xİ',
    '\u00a00x1',
    `0x${'f'.repeat(64)}`,
    `0x${'0'.repeat(65)}`,
  ),
  fc.constantFrom('0b1', '1', '0x1e3', 1e21, -1, 0.1, 2 ** 53, [], ['0x1'], [[]], {}, { length: 1e9 }),
  fc.constantFrom('0x0', '0x1', '0x2', '0x3', '0x4', '0x7e', '0x7f', '0x69', '0x6a', '0xff', 0, 1, 126),
);
const member = fc.oneof(hostileJson, almostHex);

const anyAnswer = fc.record({ name: fc.constantFrom(...Object.keys(decoders)), value: member });

function decodeAny({ name, value }: { readonly name: string; readonly value: unknown }): void {
  try {
    decoders[name]?.(value);
  } catch (error) {
    if (!(error instanceof DecodeError) && !(error instanceof ProofError)) throw error;
  }
}

/** Responses of any shape, which may not be JSON-RPC. */
const anyBody = fc
  .oneof(
    hostileText,
    hostileJson.map((value) => JSON.stringify(value)),
    fc
      .dictionary(fc.oneof(fc.constantFrom('id', 'result', 'error', 'jsonrpc'), hostileText), member)
      .map((answer) => JSON.stringify({ id: 1, ...answer })),
    member.map((result) => JSON.stringify({ id: 1, result })),
  )
  .map((text) => Buffer.from(text));
const anyResponse = fc.record({
  chain: fc.constantFrom(...chainsOfFamilies),
  number: fc.constantFrom(0, 1, 30_000_000),
  evidence,
  block: anyBody,
  receipts: anyBody,
});

const edits = fc.array(fc.tuple(place, member), { maxLength: 3 });
const edited = (value: unknown, changes: readonly (readonly [number, unknown])[]): string =>
  changes.reduce<string>(
    (json, [at, change]) => withJson(JSON.parse(json), at, JSON.stringify(change) ?? 'null'),
    JSON.stringify(value),
  );

/** Real blocks with a few members replaced, also read as blocks of other chains. */
const editedBlock = fc
  .tuple(fullBlock, fc.constantFrom(undefined, ...chainsOfFamilies), evidence, edits, edits)
  .map(([{ chain, number, block, receipts }, other = chain, evidence, first, second]) => ({
    chain: other,
    number,
    evidence,
    block: bodyOf(edited(block, first)),
    receipts: bodyOf(edited(receipts, second)),
  }));

const large = fc
  .tuple(fc.constantFrom(...Object.values(largeJson)), fc.constantFrom(...largeSizes))
  .map(([make, size]) => make(size));

/** Real blocks with a large value that replaces one member or all. */
const largeBlock = fc
  .tuple(fullBlock, evidence, fc.boolean(), fc.oneof(fc.constant(0), place), large)
  .map(([{ chain, number, block, receipts }, evidence, isBlock, at, json]) => ({
    chain,
    number,
    evidence,
    block: bodyOf(isBlock ? withJson(block, at, json) : JSON.stringify(block)),
    receipts: bodyOf(isBlock ? JSON.stringify(receipts) : withJson(receipts, at, json)),
  }));

/** Real blocks whose transactions or receipts are repeated up to 16 MB. */
const repeatedBlock = fc
  .tuple(fullBlock, evidence, fc.constantFrom(...largeSizes), fc.integer({ min: 0, max: 2 }))
  .map(([{ chain, number, block, receipts }, evidence, size, which]) => {
    const transactions = Array.isArray(block.transactions) ? block.transactions : [];
    const repeated = (list: readonly unknown[]) => {
      const times = Math.floor(size / (JSON.stringify(list).length + 1));
      return Array.from({ length: times }, () => list).flat();
    };
    return {
      chain,
      number,
      evidence,
      block: bodyOf(JSON.stringify(which === 1 ? block : { ...block, transactions: repeated(transactions) })),
      receipts: bodyOf(JSON.stringify(which === 0 ? receipts : repeated(receipts))),
    };
  });

const byte = fc.integer({ min: 0, max: 255 }).map((value) => value.toString(16).padStart(2, '0'));
const byteEdits = fc.array(fc.tuple(place, fc.nat({ max: 3 }), fc.array(byte, { maxLength: 4 })), {
  maxLength: 3,
});

/** Replaces up to three bytes of hex at each place by others. */
const editedHex = (hex: string, changes: readonly (readonly [number, number, readonly string[]])[]): string =>
  changes.reduce((text, [at, removed, added]) => {
    const from = 2 + 2 * (at % Math.max(1, text.length / 2 - 1));
    return text.slice(0, from) + added.join('') + text.slice(from + 2 * removed);
  }, hex);

/** Real blocks as RLP with a few other bytes, also read as blocks of other chains. */
const editedRaw = fc.record({
  full: fullBlock,
  other: fc.constantFrom(undefined, ...chainsOfFamilies),
  block: byteEdits,
  receipts: byteEdits,
  which: place,
});

/** As many bytes, or strings of bytes, as 16 MB of hex can hold. */
const largeHex = fc
  .tuple(fc.constantFrom(1, 4, 40, 100_000, 7_900_000), fc.constantFrom('c0', 'f9', 'bf', '00', '7e'))
  .map(([length, digits]) => `"0x${digits.repeat(length)}"`)
  .map(
    (text) =>
      `[${Array(Math.ceil(16_000_000 / text.length))
        .fill(text)
        .join(',')}]`,
  );

const abiArray = fc.oneof(
  hostileText,
  fc.constantFrom(20, 0, 10 ** 6).map((words) => `0x${'0'.repeat(62)}20${'0f'.repeat(words)}`),
  fc.integer({ min: 0, max: 16_000_000 }).map((digits) => `0x${'f'.repeat(digits)}`),
);

export const nodeTargets: readonly FuzzTarget[] = [
  fuzzTarget('decoders of node responses, any value', anyAnswer, decodeAny),
  fuzzTarget('responses of nodes, of any shape', anyResponse, async (response) => {
    await readBlockOf(response);
    await readHeaderOf(response);
  }),
  fuzzTarget('real blocks as RLP with other bytes', editedRaw, async ({ full, other, which, ...changes }) => {
    const raw = await rawAnswersTo(full);
    const receipts = raw.receipts.map((hex, index) =>
      index === which % raw.receipts.length ? editedHex(hex, changes.receipts) : hex,
    );
    await readRawOf({
      chain: other ?? full.chain,
      number: full.number,
      block: bodyOf(JSON.stringify(editedHex(raw.block, changes.block))),
      receipts: bodyOf(JSON.stringify(receipts)),
    });
  }),
  fuzzTarget('16 MB of hex as the RLP of a block', fc.tuple(largeHex, largeHex), ([block, receipts]) =>
    readRawOf({
      chain: 'BASE',
      number: 30_000_001,
      block: bodyOf(block.slice(1, -1)),
      receipts: bodyOf(receipts),
    }),
  ),
  fuzzTarget('real blocks with other members', editedBlock, async (response) => {
    await readBlockOf(response);
    await readHeaderOf(response);
  }),
  fuzzTarget('real blocks with a value of up to 16 MB', largeBlock, readBlockOf),
  fuzzTarget('headers with a value of up to 16 MB', largeBlock, readHeaderOf),
  fuzzTarget('real blocks repeated up to 16 MB', repeatedBlock, readBlockOf),
  fuzzTarget('results of a contract call, up to 16 MB', abiArray, (result) => {
    try {
      hasMultiGasConstraints(result);
    } catch (error) {
      if (!(error instanceof ProofError)) throw error;
    }
  }),
];
