import { setImmediate as turn } from 'node:timers/promises';
import { readKnownHeader } from '../../anchor/anchor.ts';
import type { AnchoredNetwork } from '../../anchor/network.ts';
import type { BlockHeader, BlockRef } from '../../figures/block.ts';
import { decodeRawHeader } from '../../proof/header.ts';
import { linkOf } from '../../proof/proven-block.ts';
import type { BlockBytes } from '../../proof/raw/prove-raw-block.ts';
import { type Fetched, fetched, type NoEndpoint, type Refused } from '../../rpc/failover.ts';
import type { BlockSource, LinkedBlocks } from '../block-source.ts';
import { type ChainPosition, linkProblem, type Parent, ruleProblem } from '../link-problems.ts';
import { readParent } from '../read-parent.ts';
import { validateRawBlock } from '../validate-block.ts';
import { type BlockFile, type BlockFiles, type FileProblem, type FilesFound, problemOf } from './source.ts';

/** Blocks between two turns of the event loop, in which the next bytes of files arrive. */
const BLOCKS_PER_TURN = 16;

/** The files of a run, and the chain and the anchor that their blocks must belong to. */
interface Reading {
  readonly files: BlockFiles;
  readonly network: AnchoredNetwork;
  /** Called with the size of each block that is proven, in bytes. */
  readonly onBytes: (bytes: number) => void;
}

/** Returns block files as a source of blocks. Nodes are only asked for headers that no file has. */
export function fileBlocks(
  files: BlockFiles,
  network: AnchoredNetwork,
  onBytes = (_: number) => {},
): BlockSource {
  const reading = { files, network, onBytes };
  const readKnown = async (block: BlockRef) => {
    const read = await readFromFiles(reading, block.number, block.hash);
    return read.kind === 'fetched' ? read : readKnownHeader(network, block);
  };
  return {
    // Reading the same files again does not help.
    retries: 0,
    lastBlock: () => lastBlock(reading),
    blocks: (start, end, feed) => {
      const provenSource = { ...network, evidence: 'proven', feed } as const;
      return linkedBlocks({ ...reading, network: provenSource }, readKnown, start, end);
    },
    headers: () => [
      {
        host: files.host,
        read: (_, number) => readFromFiles(reading, number),
        readKnown: (_, { number, hash }) => readFromFiles(reading, number, hash),
        rate: () => Number.POSITIVE_INFINITY,
        mayHaveGaps: true,
      },
    ],
    readKnown,
  };
}

/** Returns the last block to read: the anchor, unless the files end before it. Damaged headers at the end are passed over. */
async function lastBlock(reading: Reading): Promise<Fetched<BlockRef>> {
  const { anchor } = reading.network;
  const { files, problems } = await find(reading, (all) => all.ends());
  const [first, last] = [files[0], files.at(-1)];
  if (!first || !last) return refusal(reading, 'the last block of the files', problems);
  const from = Math.min(last.last, anchor.number);
  let read = await readFromFiles(reading, from, from === anchor.number ? anchor.hash : undefined);
  for (let distance = 1; isGap(read) && from - distance >= first.first; distance *= 2)
    read = await readFromFiles(reading, from - distance);
  return read;
}

/** Returns whether a header is damaged or in no file, so that reading it again does not help. */
const isGap = (read: Fetched<BlockHeader>): boolean =>
  read.kind === 'no endpoint' && (read.isUnavailable || read.isDamaged === true);

/** Finds files, or the reason why they cannot be listed. @throws the signal's reason when that aborts */
const find = ({ files, network }: Reading, search: (files: BlockFiles) => Promise<FilesFound>) =>
  search(files).catch((error: unknown): FilesFound => {
    network.context.signal.throwIfAborted();
    return { files: [], problems: [problemOf(files.host, error)] };
  });

function refusal({ files, network }: Reading, what: string, problems: readonly FileProblem[]): NoEndpoint {
  const found = problems.map(({ reason }) => reason);
  const reasons = found.length > 0 ? found : [`${files.host} has no file with ${what}`];
  return {
    kind: 'no endpoint',
    reason: `${what} of ${network.chain.name} cannot be read: ${reasons.join('. ')}`,
    reasons,
    isUnavailable: problems.length === 0,
    isRuleChange: problems.some(({ isRuleChange }) => isRuleChange),
    isDamaged: problems.length > 0 && problems.every(({ isDamaged }) => isDamaged),
  };
}

/** Reads a header from the first file that has it undamaged. */
async function readFromFiles(reading: Reading, number: number, hash?: string): Promise<Fetched<BlockHeader>> {
  const found = await find(reading, (all) => all.withBlock(number));
  const problems = [...found.problems];
  for (const file of found.files) {
    const header = await headerIn(reading, file, number, hash);
    if (!('reason' in header)) return fetched(header);
    problems.push(header);
  }
  return refusal(reading, `block ${number}`, problems);
}

async function headerIn({ network }: Reading, { name, header }: BlockFile, number: number, hash?: string) {
  try {
    const decoded = decodeRawHeader(await header(number));
    const read = linkOf(decoded);
    if (read.number !== number)
      return { reason: `${name}: it has block ${read.number} in place of ${number}`, isDamaged: true };
    if (hash !== undefined && read.hash !== hash)
      return { reason: `${name}: block ${number} is ${read.hash}, not ${hash}`, isDamaged: false };
    return read;
  } catch (error) {
    network.context.signal.throwIfAborted();
    return problemOf(name, error);
  }
}

const numberAfter = ({ block }: ChainPosition): number => (block ? block.number + 1 : 0);

/** Reads blocks file by file. Where files overlap, one that is damaged or of another chain is passed over for the next. */
async function* linkedBlocks(
  reading: Reading,
  readKnown: BlockSource['readKnown'],
  start: ChainPosition,
  end: BlockRef,
): LinkedBlocks {
  const before = await readParent(reading.network, start, readKnown);
  if (before.kind === 'no endpoint') return { ...before, contradictedBy: [] };
  let parent: Parent = { ...start, header: before.value };
  while (numberAfter(parent) <= end.number) {
    const next = numberAfter(parent);
    const found = await find(reading, (files) => files.withBlock(next));
    const problems = [...found.problems];
    for (const file of found.files) {
      const read = yield* provenBlocks(reading, file, parent, end);
      parent = read.parent;
      if (read.problem) problems.push(read.problem);
      if (numberAfter(parent) > next) break;
    }
    if (numberAfter(parent) === next)
      return { ...refusal(reading, `block ${next}`, problems), contradictedBy: [] };
  }
  return { kind: 'end reached' };
}

/** Proves the blocks of one file after `start`, up to `end` or that of the file, or the first that is damaged. */
async function* provenBlocks(
  { files, network, onBytes }: Reading,
  file: BlockFile,
  start: Parent,
  end: BlockRef,
) {
  let parent = start;
  let number = numberAfter(start);
  try {
    for await (const bytes of file.blocks(number)) {
      const proof = validateRawBlock(network, number, () => bytes, 'the file has');
      if ('refused' in proof) return { parent, problem: refusedBy(file, proof) };
      onBytes(sizeOf(bytes));
      const block = { ...proof.value, host: files.host };
      const refused =
        linkProblem(network.chain.name, parent, [block], end) ?? ruleProblem(network, parent, [block]);
      if (refused) return { parent, problem: refusedBy(file, refused) };
      yield block;
      parent = { block, notBefore: block.timestamp, header: block };
      if (number === end.number) break;
      number += 1;
      if (number % BLOCKS_PER_TURN === 0) await turn();
      network.context.signal.throwIfAborted();
    }
    return { parent };
  } catch (error) {
    network.context.signal.throwIfAborted();
    const problem = problemOf(file.name, error);
    const isNamed = problem.reason.includes(`block ${number}: `);
    const reason = isNamed ? problem.reason : problem.reason.replace(': ', `: block ${number}: `);
    return { parent, problem: { ...problem, reason } };
  }
}

const refusedBy = ({ name }: BlockFile, { refused, fault }: Refused): FileProblem => ({
  reason: `${name}: ${refused}`,
  isDamaged: fault !== 'unknown rule',
  isRuleChange: fault === 'unknown rule',
});

const sizeOf = ({ header, transactions, receipts }: BlockBytes): number =>
  [...transactions, ...receipts].reduce((sum, { length }) => sum + length, header.length);
