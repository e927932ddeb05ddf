import fc from 'fast-check';
import { findAnchor, readKnownHeader, voteOn } from '#core/anchor/anchor.ts';
import type { BlockHeader } from '#core/figures/block.ts';
import { turns } from '#test/support/clock.ts';
import { withHeader } from '#test/support/generators/blocks/seal.ts';
import { answerFrom, blockAt, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { type GivenHost, serveHosts } from '#test/support/nodes/hosts.ts';
import type { Answer, Call, NodeResponse } from '#test/support/nodes/json-rpc-server.ts';

/* Two chains from 0 to LAST. The blocks of the wrong one come at a third of the speed, so it is later in time but lower in number. */

const LAST = 5;
const chains = {
  right: sampleChain(Array.from({ length: LAST + 1 }, (_, number) => 10 * number)),
  wrong: sampleChain(
    Array.from({ length: LAST + 1 }, (_, number) => 30 * number),
    'wrong',
  ),
};
type ChainName = keyof typeof chains;

function headerOf(chain: ChainName, number: number): BlockHeader {
  const { hash, parentHash, timestamp } = blockAt(chains[chain], number).header;
  return { number, hash, parentHash, timestamp: Number(timestamp) };
}

/** A host that gives the block of one chain, or none, by number and endpoint. */
interface Told {
  readonly head: BlockHeader | undefined;
  readonly endpoints: readonly (readonly (ChainName | null)[])[];
}

const tell =
  (told: readonly (ChainName | null)[]) =>
  (call: Call): NodeResponse => {
    const chain = told[Number(call.params[0])];
    return chain ? answerFrom(chains[chain])(call) : { result: null };
  };
const toHost = ({ head, endpoints }: Told): GivenHost => ({ head, endpoints: endpoints.map(tell) });
const serve = (told: readonly Told[], quorum: number) => serveHosts(told.map(toHost), { quorum });

/** A host that gives one chain up to some block, and calls another of its blocks final. */
const onChain = (chain: ChainName, final: number, upTo = final): Told => ({
  head: headerOf(chain, final),
  endpoints: [Array.from({ length: upTo + 1 }, () => chain)],
});
const right = (final: number, upTo?: number) => onChain('right', final, upTo);
const wrong = (final: number) => onChain('wrong', final);
/** The hosts by the letters of their names. */
const named = (told: readonly Told[], isOne: (told: Told) => boolean) =>
  told.flatMap((one, index) => (isOne(one) ? [`${'abcde'[index]}.test`] : []));

/** The chains that a host tells at a number: by each endpoint, and as its own final block. */
function answers({ endpoints, head }: Told, number: number): readonly ChainName[] {
  const given = endpoints.flatMap((told) => told[number] ?? []);
  if (given.length === 0 || head?.number !== number) return given;
  return [...given, head.hash === headerOf('right', number).hash ? 'right' : 'wrong'];
}
const supportersOf = (told: readonly Told[], chain: ChainName, number: number) =>
  named(told, (host) => {
    const given = answers(host, number);
    const isAgreed = given.length > 0 && given.every((one) => one === chain);
    return isAgreed && (host.head?.number ?? LAST) >= number;
  });
const opponentsOf = (told: readonly Told[], chain: ChainName, number: number) =>
  named(told, (host) => {
    const { head } = host;
    const isLaterButLower =
      head && head.number < number && head.timestamp > headerOf(chain, number).timestamp;
    return isLaterButLower || answers(host, number).some((one) => one !== chain);
  });
const qualifies = (told: readonly Told[], quorum: number) => (chain: ChainName, number: number) => {
  const supporters = supportersOf(told, chain, number).length;
  return supporters >= quorum && supporters > opponentsOf(told, chain, number).length;
};

const anyChain = fc.constantFrom<ChainName>('right', 'right', 'wrong');
const anyNumber = fc.nat(LAST);
const anyEndpoint = fc.array(fc.option(anyChain), { minLength: LAST + 1, maxLength: LAST + 1 });
const anyHost = fc.record({
  head: fc.option(
    fc.tuple(anyChain, anyNumber).map(([chain, number]) => headerOf(chain, number)),
    { nil: undefined, freq: 6 },
  ),
  endpoints: fc.array(anyEndpoint, { minLength: 1, maxLength: 2 }),
});
const anyHosts = fc.array(anyHost, { minLength: 1, maxLength: 5 });
const anyQuorum = fc.integer({ min: 1, max: 3 });

describe('whatever the hosts answer', () => {
  test('the anchor is the newest final block that enough hosts support, and more than contradict', async () => {
    await fc.assert(
      fc.asyncProperty(anyHosts, anyQuorum, async (told, quorum) => {
        using source = serve(told, quorum);
        const found = await findAnchor(source);
        const isAnchor = qualifies(told, quorum);
        const heads = new Set(told.flatMap(({ head }) => head?.number ?? []));
        const blocks = [...heads].flatMap((number) => [
          { chain: 'right' as const, number },
          { chain: 'wrong' as const, number },
        ]);
        const [newest] = blocks
          .filter(({ chain, number }) => isAnchor(chain, number))
          .toSorted((a, b) => b.number - a.number);
        if (newest) {
          const hosts = supportersOf(told, newest.chain, newest.number);
          const opponents = opponentsOf(told, newest.chain, newest.number);
          expect(found.kind === 'probed' && found.network.anchor).toEqual({
            ...headerOf(newest.chain, newest.number),
            hosts,
            ...(opponents.length > 0 && { opponents }),
          });
        } else expect(['disputed', 'no endpoint']).toContain(found.kind);
      }),
      { numRuns: 150 },
    );
  });

  test('a block is contradicted exactly when another of its number is supported', async () => {
    await fc.assert(
      fc.asyncProperty(anyHosts, anyQuorum, anyNumber, async (told, quorum, number) => {
        using source = serve(told, quorum);
        const is = qualifies(told, quorum);
        const vote = await voteOn(source, headerOf('right', number));
        if (is('right', number)) {
          expect(vote).toEqual({ kind: 'supported', hosts: supportersOf(told, 'right', number) });
        } else if (is('wrong', number)) {
          expect(vote).toMatchObject({ kind: 'contradicted', by: headerOf('wrong', number) });
        } else expect(vote.kind).toBe('undecided');
      }),
      { numRuns: 150 },
    );
  });
});

describe('an anchor', () => {
  const find = async (told: readonly Told[]) => {
    using source = serve(told, 2);
    return await findAnchor(source);
  };
  test('has one vote of a provider, and none when its URLs disagree', async () => {
    const [one] = right(4).endpoints;
    const [other] = wrong(4).endpoints;
    if (!one || !other) throw new Error('each has an endpoint');
    expect(await find([{ ...right(4), endpoints: [one, one, one] }])).toMatchObject({ kind: 'no endpoint' });
    const torn = { ...right(4), endpoints: [one, other] };
    expect(await find([right(4), torn])).toMatchObject({ kind: 'disputed' });
    expect(await find([right(4), torn, right(4)])).toMatchObject({
      network: { anchor: { hosts: ['a.test', 'c.test'] } },
    });
  });

  test.each([
    ['contradicts its own final block', headerOf('wrong', 4)],
    ['calls an older block final', headerOf('right', 2)],
  ])('waits for a late host while one %s', async (_, head) => {
    const late = async (call: Call) => {
      // Longer than the three seconds for which others are waited for once enough agree.
      await turns(150);
      return answerFrom(chains.right)(call);
    };
    const others = [right(4), { head, endpoints: right(4).endpoints }].map(toHost);
    using source = serveHosts([...others, { head: headerOf('right', 4), endpoints: [late] }]);
    expect(await findAnchor(source)).toMatchObject({ network: { anchor: { hosts: ['a.test', 'c.test'] } } });
  });

  test('is missing, but not disputed, when too few hosts give the block and none gives another', async () => {
    const silent: Told = { head: undefined, endpoints: [[]] };
    expect(await find([right(4), silent])).toMatchObject({ kind: 'no endpoint' });
  });

  test('is disputed by one host against one, with both answers', async () => {
    const [mine, yours] = [headerOf('right', 4).hash, headerOf('wrong', 4).hash];
    expect(await find([right(4), wrong(4)])).toEqual({
      kind: 'disputed',
      reason:
        'ETHEREUM has no anchor: 2 hosts must call a block final. a.test calls block 4 final, b.test calls block 4 final. ' +
        `Block 4: a.test reports ${mine}, b.test reports ${yours}. If this persists, remove the faulty one.`,
    });
  });
});

describe('a vote', () => {
  const { number, hash } = headerOf('right', 3);

  test('on a block of which only the hash is known does not depend on times', async () => {
    const silent: Told = { head: headerOf('wrong', 2), endpoints: [[]] };
    using source = serve([right(4), right(4), silent, silent], 2);
    expect((await voteOn(source, { number, hash })).kind).toBe('supported');
    expect((await voteOn(source, headerOf('right', 3))).kind).toBe('undecided');
  });

  test.each([
    [0, 'supported'],
    [1, 'undecided'],
  ])(
    'with final blocks of lower numbers that are %i s later is %s, since blocks may share a second',
    async (later, kind) => {
      const timestamp = headerOf('right', 3).timestamp + later;
      const silent: Told = { head: { ...headerOf('right', 2), timestamp }, endpoints: [[]] };
      using source = serve([right(4), right(4), silent, silent], 2);
      expect((await voteOn(source, headerOf('right', 3))).kind).toBe(kind);
    },
  );

  test('compares the parent and the time too, which no hash covers where blocks are not proven', async () => {
    const later = chains.right.map((block) => withHeader(block, { timestamp: '0x20' }));
    const host = { head: headerOf('right', 4), endpoints: [answerFrom(later)] };
    using source = serveHosts([host, host], { evidence: 'checked' });
    expect((await voteOn(source, { number, hash })).kind).toBe('supported');
    expect(await voteOn(source, headerOf('right', 3))).toMatchObject({
      kind: 'contradicted',
      by: { hash, timestamp: 0x20 },
    });
    const { parentHash } = headerOf('right', 1);
    expect((await voteOn(source, { number, hash, parentHash })).kind).toBe('contradicted');
  });

  test('that is open names the answers and the reasons of those without one', async () => {
    using source = serve([right(4), { ...right(4), endpoints: [[]] }], 2);
    expect(await voteOn(source, { number, hash })).toEqual({
      kind: 'undecided',
      reason: expect.stringMatching(
        `^Block 3: a.test reports ${hash}. b.test/1: .*the node does not have it`,
      ),
    });
  });
});

describe('the header of a known block', () => {
  const { number, hash } = headerOf('right', 3);
  const late = chains.right.map((block) => withHeader(block, { timestamp: '0x20' }));
  const well = answerFrom(chains.right);
  const read = async (answers: readonly Answer[], evidence: 'proven' | 'checked') => {
    const head = headerOf('right', 4);
    using source = serveHosts(
      answers.map((answer) => ({ head, endpoints: [answer] })),
      { evidence },
    );
    return await readKnownHeader(source, { number, hash });
  };

  test('is that of the first endpoint where its hash covers the time', async () => {
    const calls: Call[] = [];
    const counted = (call: Call) => {
      calls.push(call);
      return well(call);
    };
    expect(await read([answerFrom(late), counted, counted], 'proven')).toEqual({
      kind: 'fetched',
      value: headerOf('right', 3),
    });
    expect(calls).toHaveLength(1);
  });

  test('is what most hosts say where its hash does not', async () => {
    const fetched = { kind: 'fetched', value: headerOf('right', 3) };
    expect(await read([answerFrom(late), well, well], 'checked')).toMatchObject(fetched);
    expect(await read([well, well], 'checked')).toMatchObject(fetched);
    expect(await read([answerFrom(late), well], 'checked')).toMatchObject({
      kind: 'no endpoint',
      reasons: [`Block 3: a.test reports ${hash}, b.test reports ${hash}`],
    });
  });

  test.each(['proven', 'checked'] as const)('fails where no endpoint has the block: %s', async (evidence) => {
    const nothing = () => ({ result: null });
    expect(await read([nothing, nothing], evidence)).toMatchObject({
      kind: 'no endpoint',
      isUnavailable: true,
    });
  });
});
