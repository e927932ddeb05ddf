import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { stripLogs } from '../../../lambda/rpc/strip-logs.ts';

/** Returns the result of JSON.parse, or undefined when it throws. */
function parsed(bytes: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(bytes.toString()) };
  } catch {
    return undefined;
  }
}

/** Empties the values that stripLogs may empty. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(emptied);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (!name.startsWith('logs')) return [name, emptied(inner)];
      return [name, Array.isArray(inner) ? [] : typeof inner === 'string' ? '' : emptied(inner)];
    }),
  );
}

/** Asserts that JSON.parse accepts both or neither, and that the results differ in logs only. */
function expectSame(json: Buffer): void {
  const before = parsed(json);
  const after = parsed(stripLogs(Buffer.from(json)));
  const isSame = before && after && isDeepStrictEqual(emptied(after.value), emptied(before.value));
  if (!isSame && (before || after))
    throw new Error(`not the same: ${json} and ${stripLogs(Buffer.from(json))}`);
}

const NAMES = ['logs', 'logsBloom', 'logsX', 'xlogs', 'logs ', 'gasUsed', '__proto__', ''];
const PHRASES = '"~"logs~"logs":~"logs":[~:[true]~:[~[]~]~}~,~{~0x1~ ~!~é~logs'.split('~');

interface Spelling {
  readonly space: readonly string[];
  readonly text: (text: string) => string;
}

/** The form of nodes: without spaces and escapes. */
const compact: Spelling = {
  space: [''],
  text: (text) => `"${text.replaceAll(/["\\\p{Cc}]/gu, '')}"`,
};
const spacious: Spelling = { space: ['', '', ' ', '\n\t '], text: (text) => JSON.stringify(text) };
const escaped: Spelling = {
  space: ['', ' '],
  text: (text) => JSON.stringify(text).replaceAll('l', String.raw`\u006c`),
};

/** JSON text with logs everywhere. */
function jsonBy({ space, text }: Spelling): fc.Arbitrary<string> {
  const gap = fc.constantFrom(...space);
  const string = fc
    .oneof(
      fc.constantFrom(...NAMES),
      fc.array(fc.constantFrom(...PHRASES)).map((all) => all.join('')),
      fc.string(),
    )
    .map(text);
  const name = fc.oneof({ arbitrary: fc.constantFrom(...NAMES).map(text), weight: 3 }, string);
  const list = (open: string, items: fc.Arbitrary<string>, close: string) =>
    fc
      .tuple(
        fc.array(
          fc.tuple(gap, items, gap).map((parts) => parts.join('')),
          { maxLength: 4 },
        ),
        gap,
      )
      .map(([all, inside]) =>
        all.length > 0 ? `${open}${all.join(',')}${close}` : `${open}${inside}${close}`,
      );
  const { value } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      string,
      fc.constantFrom('true', 'false', 'null', '0', '-1.5e+3', '12'),
      tie('array'),
      { arbitrary: tie('object'), weight: 3 },
    ),
    array: list('[', tie('value'), ']'),
    object: list(
      '{',
      fc
        .tuple(name, gap, gap, tie('value'))
        .map(([name, before, after, value]) => `${name}${before}:${after}${value}`),
      '}',
    ),
  }));
  return value;
}

const pieces = fc.constantFrom(...'~"~\\~[~]~{~}~:~,~ ~\n~\0~t~true~1~.5~logs~"logs"~"logs":['.split('~'));
/** Changes some tokens or characters of a text. */
const edits = fc.array(
  fc.record({
    parts: fc.constantFrom(/"[^"]*"|[^"]/gsu, /./gsu),
    at: fc.nat(),
    remove: fc.nat(1),
    insert: pieces,
  }),
  { minLength: 1, maxLength: 2 },
);
type Edit = typeof edits extends fc.Arbitrary<(infer One)[]> ? One : never;

const edited = (text: string, changes: readonly Edit[]): string =>
  changes.reduce((text, { parts, at, remove, insert }) => {
    const all: string[] = text.match(parts) ?? [];
    return all.toSpliced(at % (all.length + 1), remove, insert).join('');
  }, text);

describe.each([
  ['in the form of nodes', compact],
  ['with spaces', spacious],
  ['with escapes', escaped],
])('JSON %s', (_, spelling) => {
  const json = jsonBy(spelling);

  test('keeps its value except for logs', () => {
    fc.assert(
      fc.property(json, (text) => expectSame(Buffer.from(text))),
      { numRuns: 1_000 },
    );
  });

  test('that is broken stays broken, or keeps its value', () => {
    fc.assert(
      fc.property(json, edits, (text, changes) => expectSame(Buffer.from(edited(text, changes)))),
      { numRuns: 1_000 },
    );
  });

  test('that is truncated stays invalid', () => {
    fc.assert(
      fc.property(json, fc.nat(), (text, at) => expectSame(Buffer.from(text.slice(0, at % text.length)))),
    );
  });
});

test('broken logs stay broken, or keep their value', () => {
  const item = fc.constantFrom(
    '[]',
    '[true,"a"]',
    '{}',
    '{"a":null}',
    '{"a":["0x0123456789abcdef"]}',
    '{"a":false,"b":{"c":""}}',
    '{"a":[[],{}]}',
  );
  const logs = fc.array(item, { maxLength: 3 }).map((all) => `{"logs":[${all.join(',')}]}`);
  fc.assert(
    fc.property(logs, edits, (text, changes) => expectSame(Buffer.from(edited(text, changes)))),
    { numRuns: 10_000 },
  );
});

test('an unclosed quote takes linear time', () => {
  expect(stripLogs(Buffer.from(':[]"logs')).toString()).toBe(':[]"logs');
});

test('invalid UTF-8 makes no difference', () => {
  fc.assert(
    fc.property(jsonBy(compact), fc.nat(), fc.uint8Array({ min: 0x7f, maxLength: 3 }), (text, at, bytes) => {
      const json = Buffer.from(text);
      const place = at % (json.length + 1);
      expectSame(Buffer.concat([json.subarray(0, place), bytes, json.subarray(place)]));
    }),
  );
});

const log = {
  address: `0x${'a'.repeat(40)}`,
  topics: [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`],
  data: '0x',
  removed: false,
};
const receipt = {
  gasUsed: '0x5208',
  logs: [log, log],
  logsBloom: `0x${'0'.repeat(512)}`,
  type: '0x2',
  to: null,
};

test('empties the logs and bloom filters of receipts, and nothing else', () => {
  const answer = { jsonrpc: '2.0', id: 1, result: [receipt, { ...receipt, logs: [] }, receipt] };
  const kept = { ...receipt, logs: [], logsBloom: '' };
  expect(stripLogs(Buffer.from(JSON.stringify(answer))).toString()).toBe(
    JSON.stringify({ ...answer, result: [kept, kept, kept] }),
  );
});

test.each([
  ['a number', [{ ...log, logIndex: 5 }]],
  ['a space', [{ ...log, data: '0x 0' }]],
  ['more depth than logs have', [[[[[[[[]]]]]]]]],
])('keeps logs with %s', (_, logs) => {
  const text = JSON.stringify({ ...receipt, logs });
  expect(stripLogs(Buffer.from(text)).toString()).toBe(text.replace(receipt.logsBloom, ''));
});

test('keeps everything when there is an escape', () => {
  const text = String.raw`{"logs":[true],"note":"\n"}`;
  expect(stripLogs(Buffer.from(text)).toString()).toBe(text);
});

test('keeps deeply nested logs without a stack overflow', () => {
  const text = `{"logs":${'['.repeat(1_000_000)}`;
  expect(stripLogs(Buffer.from(text)).toString()).toBe(text);
});
