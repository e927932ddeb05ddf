import { setImmediate as turn } from 'node:timers/promises';
import { readKnownHeader } from '../../anchor/anchor.ts';
import type { Source } from '../../anchor/network.ts';
import type { BlockHeader, BlockRef, SummedBlock } from '../../figures/block.ts';
import type { PriceSource } from '../../figures/dollars.ts';
import { decodeRawHeader } from '../../proof/header.ts';
import { linkOf } from '../../proof/proven-block.ts';
import type { BlockBytes } from '../../proof/raw/prove-raw-block.ts';
import { type Fetched, fetched, type NoEndpoint, noEndpoint, type Refused } from '../../rpc/failover.ts';
import type { BlockSource, Broken, LinkedBlocks } from '../block-source.ts';
import { type ChainPosition, endProblem, linkProblem, type Parent, ruleProblem } from '../link-problems.ts';
import { readParent } from '../nodes/node-blocks.ts';
import { validateRawBlock } from '../nodes/validate-block.ts';
import type { BlockFile, BlockFiles, FileProblem, FilesFound } from './block-files.ts';
import { problemOf } from './source.ts';

/** Blocks between two turns of the event loop, in which the next bytes of files arrive. */
const BLOCKS_PER_TURN = 16;

/** The files of a run, and the chain and the anchor that their blocks must belong to. */
interface Reading {
  readonly files: BlockFiles;
  readonly source: Source;
  /** Called with the size of each block that is proven, in bytes. */
  readonly onBytes: (bytes: number) => void;
}

/** Returns block files as a source of blocks. Nodes are only asked for headers that no file has. */
export function fileBlocks(files: BlockFiles, source: Source, onBytes = (_: number) => {}): BlockSource {
  const reading = { files, source, onBytes };
  const readKnown = async (block: BlockRef) => {
    const read = await readKnownFrom(reading, block);
    return read.kind === 'fetched' ? read : readKnownHeader(source, block);
  };
  return {
    // Reading the same files again does not help.
    retries: 0,
    lastBlock: () => lastBlock(reading),
    blocks: (start, end, feed) => linkedBlocks(reading, { start, end, feed, readKnown }),
    headers: () => [
      {
        host: files.host,
        read: (_, number) => readHeader(reading, number),
        readKnown: (_, block) => readKnownFrom(reading, block),
        rate: () => Number.POSITIVE_INFINITY,
        mayHaveGaps: true,
      },
    ],
    readKnown,
  };
}

/** Returns the last block to read: the anchor, unless the files end before it. Damaged headers at the end are passed over. */
async function lastBlock(reading: Reading): Promise<Fetched<BlockRef>> {
  const { anchor } = reading.source;
  const found = await find(reading, (files) => files.ends());
  const [first, last] = [found.files[0]?.first, found.files.at(-1)?.last];
  if (first === undefined || last === undefined)
    return refusal(reading, 'the last block of the files', found.problems);
  const from = Math.min(last, anchor.number);
  let read = await readHeader(reading, from, from === anchor.number ? anchor.hash : undefined);
  for (let distance = 1; isGap(read) && from - distance >= first; distance *= 2)
    read = await readHeader(reading, from - distance);
  return read;
}

/** Returns whether a header is damaged or in no file, so that reading it again does not help. */
const isGap = (read: Fetched<BlockHeader>): boolean =>
  read.kind === 'no endpoint' && (read.isUnavailable || read.isDamaged === true);

/** Finds files, or the reason why they cannot be listed. @throws the signal's reason when that aborts */
async function find(
  { files, source }: Reading,
  search: (files: BlockFiles) => Promise<FilesFound>,
): Promise<FilesFound> {
  try {
    return await search(files);
  } catch (error) {
    source.context.signal.throwIfAborted();
    return { files: [], problems: [problemOf(files.host, error)] };
  }
}

const refusal = ({ files, source }: Reading, what: string, problems: readonly FileProblem[]): NoEndpoint => {
  const { name } = source.chain;
  const reasons = problems.map(({ reason }) => reason);
  const isDamaged = problems.length > 0 && problems.every((one) => one.isDamaged);
  const none = noEndpoint(
    `${what} of ${name}`,
    reasons.length > 0 ? reasons : [`${files.host} has no file with ${what}`],
    { isUnavailable: problems.length === 0 },
  );
  return { ...none, reason: `${what} of ${name} cannot be read: ${none.reasons.join('. ')}`, isDamaged };
};

/** Reads a header from the first file that has it undamaged. */
async function readHeader(reading: Reading, number: number, hash?: string): Promise<Fetched<BlockHeader>> {
  const { files, problems } = await find(reading, (all) => all.withBlock(number));
  const failed = [...problems];
  for (const file of files) {
    const header = await headerIn(reading, file, number);
    if ('reason' in header) failed.push(header);
    else if (hash !== undefined && header.hash !== hash)
      failed.push({
        reason: `${file.name}: block ${number} is ${header.hash}, not ${hash}`,
        isDamaged: false,
      });
    else return fetched(header);
  }
  return refusal(reading, `block ${number}`, failed);
}

async function headerIn(
  { source }: Reading,
  file: BlockFile,
  number: number,
): Promise<BlockHeader | FileProblem> {
  try {
    const decoded = decodeRawHeader(await file.header(number));
    const header = linkOf(decoded);
    if (header.number === number) return header;
    return { reason: `${file.name}: it has block ${header.number} in place of ${number}`, isDamaged: true };
  } catch (error) {
    source.context.signal.throwIfAborted();
    return problemOf(file.name, error);
  }
}

const readKnownFrom = (reading: Reading, { number, hash }: BlockRef): Promise<Fetched<BlockHeader>> =>
  readHeader(reading, number, hash);

interface Wanted {
  readonly start: ChainPosition;
  readonly end: BlockRef;
  readonly feed: PriceSource | undefined;
  readonly readKnown: BlockSource['readKnown'];
}

/** Reads blocks file by file. Where files overlap, one that is damaged or of another chain is passed over for the next. */
async function* linkedBlocks(reading: Reading, { start, end, feed, readKnown }: Wanted): LinkedBlocks {
  const rules = { chain: reading.source.chain, evidence: 'proven', feed } as const;
  const before = await readParent(rules, start, readKnown);
  if (before.kind === 'no endpoint') return { ...before, contradictedBy: [] };
  let parent: Parent = { ...start, header: before.value };
  for (let next = start.block ? start.block.number + 1 : 0; next <= end.number; ) {
    const first = next;
    const found = await find(reading, (files) => files.withBlock(first));
    const problems: Problem[] = [...found.problems];
    for (const file of found.files) {
      for await (const read of provenBlocks(reading, rules, file, next)) {
        const problem = 'reason' in read ? read : problemAfter(rules, parent, read, { file, end });
        if ('reason' in read || problem) {
          if (problem) problems.push(problem);
          break;
        }
        yield read;
        parent = { block: read, notBefore: read.timestamp, header: read };
        next += 1;
        if (next > end.number) return { kind: 'end reached' };
      }
      if (next > first) break;
    }
    if (next === first) return broken(reading, next, problems);
  }
  return { kind: 'end reached' };
}

interface Problem extends FileProblem {
  readonly isRuleChange?: boolean;
}

type FileRules = Pick<Source, 'chain' | 'evidence' | 'feed'>;

const broken = (reading: Reading, number: number, problems: readonly Problem[]): Broken => ({
  ...refusal(reading, `block ${number}`, problems),
  isRuleChange: problems.some(({ isRuleChange }) => isRuleChange),
  contradictedBy: [],
});

const refusedBy = ({ name }: BlockFile, { refused, fault }: Refused): Problem => ({
  reason: `${name}: ${refused}`,
  isDamaged: fault !== 'unknown rule',
  isRuleChange: fault === 'unknown rule',
});

function problemAfter(
  rules: FileRules,
  parent: Parent,
  block: SummedBlock,
  { file, end }: { readonly file: BlockFile; readonly end: BlockRef },
): Problem | undefined {
  const { name } = rules.chain;
  const refused =
    linkProblem(name, parent, [block]) ??
    endProblem(name, [block], end) ??
    ruleProblem(rules, parent, [block]);
  return refused && refusedBy(file, refused);
}

/** Proves the blocks of one file, up to its end or the first that is damaged. */
async function* provenBlocks(
  { files, source, onBytes }: Reading,
  rules: FileRules,
  file: BlockFile,
  from: number,
): AsyncGenerator<SummedBlock | Problem, void> {
  let number = from;
  try {
    for await (const bytes of file.blocks(from)) {
      const proof = validateRawBlock(rules, number, () => bytes, 'the file has');
      if ('refused' in proof) return yield refusedBy(file, proof);
      onBytes(sizeOf(bytes));
      yield { ...proof.value, host: files.host };
      number += 1;
      if (number % BLOCKS_PER_TURN === 0) await turn();
      source.context.signal.throwIfAborted();
    }
  } catch (error) {
    source.context.signal.throwIfAborted();
    const { reason, isDamaged } = problemOf(file.name, error);
    const isNamed = reason.includes(`block ${number}: `);
    yield { reason: isNamed ? reason : reason.replace(': ', `: block ${number}: `), isDamaged };
  }
}

const sizeOf = ({ header, transactions, receipts }: BlockBytes): number =>
  [...transactions, ...receipts].reduce((sum, { length }) => sum + length, header.length);
