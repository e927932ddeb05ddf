import { BSC_FINALITY } from '#core/chains/finality-rules.ts';
import { epochBlockAfter, followHeaders, startFastFinality } from '#core/finality/fast-finality/bep126.ts';
import { attestationIn } from '#core/finality/fast-finality/extra-data.ts';
import { headerHash } from '#core/proof/header.ts';
import type { RpcHeader } from '#core/proof/json/rpc-types.ts';
import { type Recorded, readVotes, withExtraData } from '#test/support/generators/files/finality-fixtures.ts';

/** Follows headers one by one, with those before them. Returns the number of the final block after each. */
function followAll(name: string) {
  const { rules, headers, state: begun, expected } = readVotes(name);
  let state = begun;
  const finals = headers.map((_, index) => {
    const result = followHeaders(rules, state, headers.slice(Math.max(0, index - 99), index + 1));
    if (result.kind === 'advanced') state = result.state;
    return state.block.number;
  });
  return { rules, headers, state, finals, expected };
}

test.each([
  'bsc-plato-31297200',
  'bsc-lorentz-51006000',
  'bsc-maxwell-66277000',
  'chapel-fermi-85576000',
  'chapel-fermi-86242000',
])('finds in %s each block that votes make final', (name) => {
  const { headers, finals, expected } = followAll(name);
  expect(headers.map((header) => headerHash(header))).toEqual(headers.map(({ hash }) => hash));
  let highest = 0;
  const sources = expected.map(({ attestation }: Recorded) => {
    if (attestation?.finalizes_source) highest = Math.max(highest, attestation.source);
    return highest;
  });
  expect(finals).toEqual(sources);
});

test('takes over the next validators from their final epoch block', () => {
  const plato = followAll('bsc-plato-31297200');
  expect(plato.state.sets.map(({ epochBlock, from }) => [epochBlock, from])).toEqual([
    [31_297_000, 31_297_000],
    [31_297_200, 31_297_211],
  ]);
});

/** The headers of a change of validators, and a state that knows the old ones. */
const { rules, headers, state } = readVotes('bsc-plato-31297200');
const EPOCH_BLOCK = 31_297_200;
const from = (first: number, count: number) => {
  const at = headers.findIndex(({ number }) => Number(number) === first);
  return headers.slice(at, at + count);
};
const newest = (result: ReturnType<typeof followHeaders>) =>
  result.kind === 'advanced' ? result.state : state;

describe('forged votes are refused', () => {
  const [epoch, child, grandchild] = from(EPOCH_BLOCK, 3) as [RpcHeader, RpcHeader, RpcHeader];

  test('when their target is not the child of their source', () => {
    const chapel = readVotes('chapel-fermi-85576000');
    const [header] = chapel.headers.filter(({ number }) => Number(number) === 85_576_003);
    const { source, target } = attestationIn(header?.extraData ?? '', {
      isEpochBlock: false,
      hasTurnLength: true,
    }) ?? { source: undefined, target: undefined };
    expect(Number(target?.number) - Number(source?.number)).toBe(2);
    expect(followHeaders(chapel.rules, chapel.state, header ? [header] : [])).toEqual({
      kind: 'refused',
      reason: 'no header has votes that make a block final',
    });
  });

  test('when one vote is missing to the quorum, and not with exactly the quorum', () => {
    const chapel = readVotes('chapel-fermi-86242000');
    const header = chapel.headers.at(-1);
    if (!header) throw new Error('The fixture has headers');
    expect(followHeaders(chapel.rules, chapel.state, [header]).kind).toBe('advanced');
    const fewer = withExtraData(header, (extra) => {
      // 32 bytes of vanity and two of the list's length come before the votes, an integer of up to two bytes.
      const at = { 129: 35, 130: 36 }[extra[34] ?? 0] ?? 34;
      const bits = extra[at] ?? 0;
      extra[at] = bits & (bits - 1);
    });
    expect(followHeaders(chapel.rules, chapel.state, [fewer])).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/ 5 of 9 validators voted$/),
    });
  });

  test('whichever byte of them is another, unless they are the same votes', () => {
    const whole = newest(followHeaders(rules, state, [grandchild]));
    const length = grandchild.extraData.length / 2 - 1;
    const begin = 32;
    let refused = 0;
    for (let at = begin; at < length - 65; at += 5) {
      const changed = withExtraData(grandchild, (extra) => {
        extra[at] = (extra[at] ?? 0) ^ 1;
      });
      const result = followHeaders(rules, state, [changed]);
      if (result.kind === 'refused') refused += 1;
      else expect([at, newest(result)]).toEqual([at, whole]);
    }
    expect(refused).toBeGreaterThan(30);
  });

  test('of validators that were replaced', () => {
    const later = followHeaders(rules, state, from(EPOCH_BLOCK, 23));
    const old = {
      ...newest(later),
      sets: state.sets.map((set) => ({ ...set, to: Number.MAX_SAFE_INTEGER })),
    };
    const last = headers.at(-1);
    expect(followHeaders(rules, old, last ? [last] : [])).toMatchObject({
      reason: expect.stringContaining('do not count'),
    });
  });

  test('of validators in an epoch block that nobody voted for', () => {
    expect(newest(followHeaders(rules, state, [epoch])).sets).toHaveLength(1);
    expect(newest(followHeaders(rules, state, [epoch, child])).sets).toHaveLength(1);
    const forged = { ...epoch, hash: `0x${'ab'.repeat(32)}` };
    expect(newest(followHeaders(rules, state, [forged, child, grandchild])).sets).toHaveLength(1);
    expect(newest(followHeaders(rules, state, [epoch, child, grandchild])).sets).toHaveLength(2);
  });

  test('of an epoch that was skipped', () => {
    const older = {
      ...state,
      sets: state.sets.map((set) => ({ ...set, epochBlock: set.epochBlock - 400, to: EPOCH_BLOCK - 190 })),
    };
    expect(followHeaders(rules, older, from(EPOCH_BLOCK, 3))).toMatchObject({
      reason: expect.stringContaining('the validators of that epoch are not proven'),
    });
  });
});

test('never goes back to an older block', () => {
  const late = newest(followHeaders(rules, state, from(EPOCH_BLOCK, 8)));
  const early = followHeaders(rules, late, from(EPOCH_BLOCK, 3));
  expect(newest(early).block).toEqual(late.block);
  expect(newest(early).votes).toEqual(late.votes);
});

test('starts with an epoch block alone, whose validators count once those before are gone for certain', () => {
  const [epoch, child] = from(EPOCH_BLOCK, 2) as [RpcHeader, RpcHeader];
  const begun = startFastFinality(rules, epoch);
  expect(begun).toMatchObject({
    kind: 'advanced',
    state: { block: { number: EPOCH_BLOCK, hash: epoch.hash }, sets: [{ from: EPOCH_BLOCK + 200 }] },
  });
  expect(startFastFinality(rules, child)).toMatchObject({ kind: 'refused' });
});

test('the next epoch block follows the length of its time', () => {
  const at = (date: string) => `0x${(Date.parse(date) / 1_000).toString(16)}`;
  expect(epochBlockAfter(BSC_FINALITY, 400, at('2025-01-01'))).toBe(600);
  expect(epochBlockAfter(BSC_FINALITY, 400, at('2025-05-01'))).toBe(500);
  expect(epochBlockAfter(BSC_FINALITY, 1_000, at('2026-01-01'))).toBe(2_000);
});
