import fc from 'fast-check';

/** A decoder under attack. */
export interface FuzzTarget {
  /** The attack, for the table in test/fuzz/results.md. */
  readonly name: string;
  /** Runs one random case. Its decoder has at most the bounds of time and memory. Throws when the decoder misbehaves. */
  readonly property: (run: Measure) => fc.IAsyncProperty<unknown>;
}

/** Runs a decoder within bounds of time and memory. */
export type Measure = (decode: () => unknown) => Promise<void>;

/**
 * Creates a target.
 * @param cases random input, small and large
 * @param decode throws, or rejects, when the decoder misbehaves
 */
export const fuzzTarget = <Case>(
  name: string,
  cases: fc.Arbitrary<Case>,
  decode: (input: Case) => unknown,
): FuzzTarget => ({ name, property: (run) => fc.asyncProperty(cases, (input) => run(() => decode(input))) });

/** Text of attacks: formulas, patterns, paths, terminal escapes, prototype names, text beyond the Basic Multilingual Plane. */
const ATTACKS = [
  ...['=HYPERLINK("http://evil.example")', '@SUM(1)', '-1', '+1', "$'", '$&', '../../etc/passwd', '%00', '%'],
  ...['\u001b]0;owned\u0007', '\u009b2J', '\u202e', '\u2028', '\r\nX-Evil: 1', '\0', '\ud800', '\u{e0041}'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '[object Object]',
    '',
    ' ',
    'null',
    '-0',
    'NaN',
  ],
  ...['1e999', '9'.repeat(400), '0x1', '2026-02-30', '2026-11-20', '+010000-01-01', 'ETHEREUM', 'ethereum'],
];

/** Short text: an attack, or anything. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...ATTACKS),
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary-ascii', maxLength: 20 }),
);

/** Any JSON value with hostile text. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(0, -1, 1.5, 2 ** 53, -0, true, false, null),
  fc.array(hostileText, { maxLength: 4 }),
  fc.dictionary(hostileText, hostileText, { maxKeys: 4 }),
);

/** A valid object with some fields replaced, removed or added. */
export const changed = (valid: Readonly<Record<string, unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(
      fc.dictionary(fc.oneof(fc.constantFrom(...Object.keys(valid)), hostileText), hostileJson, {
        maxKeys: 3,
      }),
      fc.subarray(Object.keys(valid), { maxLength: 2 }),
    )
    .map(([changes, removed]) => {
      const object = { ...valid, ...changes };
      return Object.fromEntries(Object.entries(object).filter(([name]) => !removed.includes(name)));
    });

/** Throws unless a condition holds. */
export function must(condition: boolean, claim: string): void {
  if (!condition) throw new Error(`Violated: ${claim}.`);
}
