import fc from 'fast-check';
import { countVotes } from '#core/anchor/ballot.ts';

/** A vote for one of three answers, or for none. */
const anyVote = fc.record({
  host: fc.record({ name: fc.constantFrom(...'abcdef') }),
  answer: fc.constantFrom('red', 'green', 'blue', undefined),
});
type Vote = typeof anyVote extends fc.Arbitrary<infer V> ? V : never;
const anyVotes = fc.array(anyVote, { maxLength: 12, size: 'max' });
/** One vote of each host. */
const anyHosts = fc.uniqueArray(anyVote, { selector: ({ host }) => host.name });
const anyQuorum = fc.integer({ min: 1, max: 4 });

const count = (votes: readonly Vote[], answer: Vote['answer'], quorum: number) =>
  countVotes(votes, quorum, (vote) => (vote.answer === undefined ? undefined : vote.answer === answer));
const vote = (name: string, answer: Vote['answer']): Vote => ({ host: { name }, answer });

test('names who supports an answer and who contradicts it, in the order of the votes', () => {
  const votes = [vote('c', 'red'), vote('a', 'blue'), vote('d', undefined), vote('b', 'red')];
  expect(count(votes, 'red', 2)).toEqual({
    supporters: ['c', 'b'],
    opponents: ['a'],
    hasQuorum: true,
    isSupported: true,
  });
});

const [A, B, C, D] = [vote('a', 'red'), vote('b', 'red'), vote('c', 'blue'), vote('d', 'blue')];
test.each<[string, readonly Vote[], object]>([
  ['one host does not reach it', [A], { hasQuorum: false, isSupported: false }],
  ['two answers of one host do not reach it', [A, A], { hasQuorum: false, isSupported: false }],
  ['two against one support', [A, B, C], { hasQuorum: true, isSupported: true }],
  ['two against two do not support', [A, B, C, D], { hasQuorum: true, isSupported: false }],
])('of a quorum of two, %s', (_, votes, decision) => {
  expect(count(votes, 'red', 2)).toMatchObject(decision);
});

test('never supports two answers, even if hosts give several', () => {
  fc.assert(
    fc.property(anyVotes, anyQuorum, (votes, quorum) => {
      const supported = (['red', 'green', 'blue'] as const).filter(
        (answer) => count(votes, answer, quorum).isSupported,
      );
      expect(supported.length).toBeLessThan(2);
    }),
  );
});

test('decides the same in any order, and after each vote was repeated', () => {
  const sorted = (votes: readonly Vote[], quorum: number) => {
    const { supporters, opponents, ...decision } = count(votes, 'red', quorum);
    return [supporters.toSorted(), opponents.toSorted(), decision];
  };
  fc.assert(
    fc.property(anyVotes, anyQuorum, (votes, quorum) => {
      expect(sorted([...votes.toReversed(), ...votes], quorum)).toEqual(sorted(votes, quorum));
    }),
  );
});

test('a host that contradicts an answer never gives it support', () => {
  fc.assert(
    fc.property(anyHosts, anyQuorum, (votes, quorum) => {
      const before = count(votes, 'red', quorum).isSupported;
      const after = count([...votes, vote('z', 'blue')], 'red', quorum).isSupported;
      expect(after && !before).toBe(false);
    }),
  );
});
