import fc from 'fast-check';
import type { HeaderReader } from '#core/blocks/block-source.ts';
import { nodeHeaders } from '#core/blocks/nodes/node-blocks.ts';
import { chainOf } from '#core/chains/chains.ts';
import { systemClock } from '#core/clock.ts';
import { findDayStart, searchIn } from '#core/days/find-day-start.ts';
import type { BlockHeader } from '#core/figures/block.ts';
import { startOfDay } from '#core/figures/calendar.ts';
import { fetched, noEndpoint } from '#core/rpc/failover.ts';
import type { Upstream } from '#core/rpc/upstream.ts';
import { fastClock } from '#test/support/clock.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import { hex } from '#test/support/generators/blocks/seal.ts';
import { answerFrom, blockAt, refAt, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { at, DAY, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { serveAnswers } from '#test/support/nodes/hosts.ts';
import type { NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';
import { requestContextWith } from '#test/support/nodes/source.ts';

/** Blocks that a search of a hundred reads for number 70: the last, then back to 68, and between that and 84. */
const READ_IN_SEARCH = [99, 98, 96, 92, 84, 68, 76, 72, 70, 69];

describe('the search for a time in one endpoint', () => {
  /** Headers that hash to nothing, at these times. */
  const headersAt =
    (times: readonly number[], pruned = 0, parentOf = (number: number) => hashOf(number - 1)): NodeAnswer =>
    ({ params: [tag] }) => {
      const number = Number(tag);
      const timestamp = hex(times[number] ?? 0);
      const header = { number: hex(number), hash: hashOf(number), parentHash: parentOf(number), timestamp };
      return number < pruned ? { result: null } : { result: header };
    };

  async function search(
    answer: NodeAnswer,
    length: number,
    time: number,
    hash = hashOf(length - 1),
    firstBlock = 0,
  ) {
    const reads: number[] = [];
    const counted: NodeAnswer = (call) => {
      reads.push(Number(call.params[0]));
      return answer(call);
    };
    const chain = { ...chainOf('ETHEREUM'), firstBlock };
    using source = serveAnswers([counted], { evidence: 'checked', chain });
    const upstream = source.hosts[0]?.upstreams[0] as Upstream;
    const found = await searchIn(source, nodeHeaders(upstream), time, { number: length - 1, hash });
    if (found.kind === 'no endpoint') return { found };
    return { found: [found.before?.number, found.first?.number], reads };
  }
  const find = (times: readonly number[], time: number) => search(headersAt(times), times.length, time);

  test('needs about 2 log2(n) reads, and none of much older blocks', async () => {
    const times = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 300, size: 'max' });
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 0, max: 50 }), async (steps, time) => {
        const sorted = steps.toSorted((a, b) => a - b);
        fc.pre((sorted.at(-1) ?? 0) >= time);
        const { found, reads = [] } = await find(sorted, time);
        const first = sorted.findIndex((timestamp) => timestamp >= time);
        expect(found).toEqual([first === 0 ? undefined : first - 1, first]);
        expect(reads.length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(sorted.length + 1)) + 3);
        const distance = sorted.length - first;
        expect(Math.min(...reads)).toBeGreaterThanOrEqual(sorted.length - 2 * distance - 2);
      }),
    );
  });

  test.each([68, 69, 60, 0])('searches one that keeps only blocks from %s on', async (pruned) => {
    const times = Array.from({ length: 100 }, (_, number) => number * 10);
    const { found, reads } = await search(headersAt(times, pruned), 100, 700);
    expect(found).toEqual([69, 70]);
    expect([...new Set(reads)]).toEqual(READ_IN_SEARCH);
  });

  test.each([0, 1, 30, 68, 69])(
    'reads no block before %i, where the chain has another form',
    async (first) => {
      const times = Array.from({ length: 100 }, (_, number) => number * 10);
      const { found, reads = [] } = await search(headersAt(times), 100, 700, undefined, first);
      expect(found).toEqual([69, 70]);
      expect(Math.min(...reads)).toBeGreaterThanOrEqual(first);
    },
  );

  test.each<[string, NodeAnswer, string]>([
    ['another end', headersAt([10, 20, 30, 40], 0), `it is ${hashOf(3)}, not ${hashOf('end')}`],
    [
      'a parent that is another block',
      headersAt([10, 20, 30, 40, 50], 0, () => hashOf('fork')),
      `block 1: it is ${hashOf(1)}, not ${hashOf('fork')}`,
    ],
  ])('refuses %s', async (_, answer, reason) => {
    const isEnd = reason.includes(hashOf('end'));
    const { found } = await search(answer, isEnd ? 4 : 5, 30, isEnd ? hashOf('end') : undefined);
    expect(found).toMatchObject({ kind: 'no endpoint', reason: expect.stringContaining(reason) });
  });

  test('refuses a parent that is not before the time when it is read again', async () => {
    let reads = 0;
    const answer: NodeAnswer = (call) =>
      headersAt([10, call.params[0] === '0x1' && reads++ > 0 ? 30 : 20, 30, 40])(call);
    expect((await search(answer, 4, 30)).found).toMatchObject({
      reason: expect.stringContaining('block 1 was before 30, but not when it was read again'),
    });
  });
});

describe('the search for a time in files with damaged headers', () => {
  /** A hundred headers, ten seconds apart. */
  const headerAt = (number: number): BlockHeader => ({
    number,
    hash: hashOf(number),
    parentHash: hashOf(number - 1),
    timestamp: 10 * number,
  });

  /** Searches for the block at 700 s, whose number is 70. Block 68 and block 84 are the nearest that are read on the way back from the end. */
  async function searchAround(damagedFrom: number, damagedTo: number, reads = new Set<number>()) {
    const read = async (number: number) => {
      reads.add(number);
      return number >= damagedFrom && number <= damagedTo
        ? { ...noEndpoint(`block ${number}`, []), isDamaged: true }
        : fetched(headerAt(number));
    };
    const files: HeaderReader = {
      host: 'mirror.example',
      rate: () => Number.POSITIVE_INFINITY,
      mayHaveGaps: true,
      read: (_, number) => read(number),
      readKnown: (_, { number }) => read(number),
    };
    using network = serveAnswers([]);
    return await searchIn(network, files, 700, { number: 99, hash: hashOf(99) });
  }

  test('reads no other headers where none is damaged', async () => {
    const reads = new Set<number>();
    await searchAround(0, 0, reads);
    expect([...reads]).toEqual(READ_IN_SEARCH);
  });

  test.each([
    ['above the first one tried', 76, 83],
    ['below it', 71, 76],
    ['on both of its sides', 75, 79],
    ['at a step further back', 84, 97],
  ])('goes around those %s', async (_, from, to) => {
    expect(await searchAround(from, to)).toEqual({
      kind: 'boundary',
      first: headerAt(70),
      before: headerAt(69),
    });
  });

  test.each([
    ['no header between two others can be read', 69, 83, 'block 83'],
    ['the first one after the time cannot be read', 70, 70, 'block 70'],
    ['the last one before the time cannot be read', 69, 69, 'block 69'],
  ])('fails where %s, and names one', async (_, from, to, block) => {
    const found = await searchAround(from, to);
    expect(found).toMatchObject({ kind: 'no endpoint', isDamaged: true });
    expect(found).toHaveProperty('reason', expect.stringContaining(block));
  });
});

describe('the start of a day', () => {
  afterEach(() => jest.restoreAllMocks());
  const well = answerFrom(sampleBlocks);
  const find = async (answers: readonly NodeAnswer[], day = DAY, number = 7, given = {}) => {
    using source = serveAnswers(answers, given);
    return await findDayStart(source, day, refAt(sampleBlocks, number));
  };
  const startsAfter = (number: number, host: string) => ({
    kind: 'found',
    day: DAY,
    before: { ...refAt(sampleBlocks, number), host },
  });
  /** Another time of a block, sealed on its own, so that its child does not name it. */
  const forged = sampleChain(
    [at(-1, 80_000), ...Array.from({ length: 7 }, (_, index) => at(0, 10_000 * index))],
    'forged',
  );
  const lying: NodeAnswer = (call) => (Number(call.params[0]) < 7 ? answerFrom(forged)(call) : well(call));

  test('is searched in each endpoint alone, so a liar misleads no other', async () => {
    expect(await find([lying, well, well])).toEqual(startsAfter(0, 'b.test/1'));
  });

  test.each<[string, NodeAnswer, boolean]>([
    ['is asked later afterwards if it gives other blocks', answerFrom(forged), true],
    ['keeps its place if it has pruned the blocks', () => ({ result: null }), false],
  ])('an endpoint in which the search fails %s', async (_, answer, isLater) => {
    // Calls that a busy machine delays are slow, and so is their endpoint.
    jest.spyOn(performance, 'now').mockReturnValue(0);
    // On a fast clock, the minute that a search may take is over before such a machine answers.
    using source = serveAnswers([answer, well, well], {
      context: requestContextWith({ clock: systemClock }),
    });
    expect(await findDayStart(source, DAY, refAt(sampleBlocks, 7))).toEqual(startsAfter(0, 'b.test/1'));
    const later = source.hosts.map(({ upstreams: [one] }) => (one?.health.laterUntil ?? 0) > 0);
    expect(later).toEqual([isLater, false, false]);
  });

  describe('blames the endpoint of a block', () => {
    const blamed = async (answers: readonly NodeAnswer[], quorum: number) => {
      using source = serveAnswers(answers, { quorum });
      const wrong: string[] = [];
      const onWrong = async (host: string, reason: string) => void wrong.push(`${host}: ${reason}`);
      await findDayStart(source, DAY, refAt(sampleBlocks, 7), undefined, onWrong);
      return wrong;
    };
    /** Tells a block of the day once only. */
    const onlyOnce = (): NodeAnswer => {
      const told = new Set<number>();
      return (call) => {
        const number = Number(call.params[0]);
        const isTold = told.has(number) && number > 0 && number < 7;
        told.add(number);
        return isTold ? { result: null } : well(call);
      };
    };

    test('that the others contradict', async () => {
      expect(await blamed([lying, well, well], 2)).toEqual([
        expect.stringMatching(/^a\.test.*: .* but other hosts report/),
      ]);
    });

    test('but not on the word of a single host', async () => {
      expect(await blamed([onlyOnce(), lying], 1)).toEqual([]);
      expect(await blamed([onlyOnce(), lying, lying], 1)).toHaveLength(1);
    });
  });

  test('is left to the blocks that follow where one host contradicts one', async () => {
    expect(await find([lying, well])).toMatchObject({ before: { hash: refAt(forged, 0).hash } });
  });

  test('is searched for a minute in each endpoint but the last', async () => {
    const hang: NodeAnswer = () => ({ hang: true });
    const clock = fastClock(100_000);
    const started = clock.now();
    expect(await find([hang, well, well], DAY, 7, { context: requestContextWith({ clock }) })).toEqual(
      startsAfter(0, 'b.test/1'),
    );
    expect(clock.now() - started).toBeGreaterThanOrEqual(60_000);
    const end = AbortSignal.timeout(300);
    const lastHangs = find([hang], DAY, 7, { context: requestContextWith({ clock, signal: end }) });
    await expect(lastHangs).rejects.toThrow('timeout');
  });

  test('is that of a later day when the chain begins later, and genesis is supported', async () => {
    const day = '2026-11-15';
    const found = { kind: 'found', day: '2026-11-17', before: undefined };
    expect(await find([well, well], day)).toEqual(found);
    expect(await find([well], day)).toMatchObject({
      kind: 'no endpoint',
      reasons: [expect.stringMatching(/ begins later; add a host, or choose a later first day$/)],
    });
  });

  test('is not a later day that one host alone believes in, since no block would refute it', async () => {
    const late = sampleChain(
      Array.from({ length: 7 }, (_, index) => at(0, index)),
      'late',
    );
    const liar: NodeAnswer = (call) => (Number(call.params[0]) < 7 ? answerFrom(late)(call) : well(call));
    const genesis = { kind: 'found', day: '2026-11-17', before: undefined };
    expect(await find([liar, well], '2026-11-17')).toEqual(genesis);
    expect(await find([liar, well], '2026-11-16')).toMatchObject({
      kind: 'no endpoint',
      reasons: [
        expect.stringContaining(`a.test/1: Block 0: a.test reports ${refAt(late, 0).hash}, b.test reports`),
        expect.stringContaining('b.test/1: Block 0: '),
      ],
    });
  });

  describe('where no hash covers the times', () => {
    /** The same hash at another time, on the wrong side of midnight. */
    const timed =
      (number: number, timestamp: number): NodeAnswer =>
      (call) => {
        const blocks = sampleBlocks.with(number, {
          ...blockAt(sampleBlocks, number),
          header: { ...blockAt(sampleBlocks, number).header, timestamp: hex(timestamp) },
        });
        return answerFrom(blocks)(call);
      };
    const checked = { evidence: 'checked' } as const;

    test.each([
      ['first block', 1, at(-1, 86_399)],
      ['last block before it', 0, startOfDay(DAY)],
    ])(
      'a wrong time of its %s is contradicted by two hosts, and disputed by one',
      async (_, number, time) => {
        const liar = timed(number, time);
        expect(await find([liar, well, well], DAY, 7, checked)).toEqual(startsAfter(0, 'b.test/1'));
        expect(await find([liar, well], DAY, 7, checked)).toMatchObject({
          kind: 'no endpoint',
          reason: expect.stringMatching(`Block \\d+: a.test reports`),
        });
        expect(await find([well, well], DAY, 7, checked)).toEqual(startsAfter(0, 'a.test/1'));
      },
    );

    test('must be the same from two hosts before Nitro', async () => {
      const chain = chainOf('ARBITRUM');
      using source = { ...serveAnswers([timed(1, at(-1, 86_399)), well], checked), chain };
      expect(await findDayStart(source, DAY, refAt(sampleBlocks, 7))).toMatchObject({ kind: 'no endpoint' });
    });
  });
});
