import { on } from 'node:events';
import * as z from 'zod';
import { chainOf } from '../../core/chains/chains.ts';
import { freezerChains } from './readers/freezer-chains.ts';
import type { BenchReader } from './readers/reader.ts';

/*
 * Reads blocks with one reader on each message of reading.ts. Separate processes keep readers from affecting each other by garbage
 * collection or compiled code.
 */

type Open = (url: string, blocks: number) => Promise<BenchReader>;
const era = () => import('./readers/era.ts');
const freezer = () => import('./readers/freezer.ts');
const baselines = () => import('./readers/baselines.ts');

const open = {
  era1: async (_, blocks) => (await era()).openEra('era1', blocks),
  ere: async (_, blocks) => (await era()).openEra('ere', blocks),
  'era1 hashed': async (_, blocks) => (await era()).openEraBaseline('era1', blocks),
  'ere hashed': async (_, blocks) => (await era()).openEraBaseline('ere', blocks),
  ...freezerReaders(),
  ours: async (url) => (await import('./readers/ours.ts')).openOurs(chainOf('ETHEREUM'), url),
  baseline: async (url) => (await baselines()).openBaseline(url),
  raw: async (url) => (await baselines()).openRawBaseline(url),
  viem: async (url) => (await import('./readers/viem.ts')).openViem(url),
  ethers: async (url) => (await import('./readers/ethers.ts')).openEthers(url),
} satisfies Record<string, Open>;

/** Readers of freezers by the node of a chain, and their baselines. */
function freezerReaders() {
  const readers = freezerChains.flatMap((chain): [string, Open][] => [
    [`freezer ${chain}`, async (_, blocks) => (await freezer()).ourFreezer(chain, blocks)],
    [`freezer ${chain} hashed`, async (_, blocks) => (await freezer()).openFreezerBaseline(chain, blocks)],
  ]);
  return Object.fromEntries(readers) as Record<
    `freezer ${(typeof freezerChains)[number]}${'' | ' hashed'}`,
    Open
  >;
}

const optionsSchema = z.object({
  reader: z.enum(Object.keys(open) as (keyof typeof open)[]),
  url: z.string(),
  blocks: z.int(),
});
export type ReaderOptions = z.input<typeof optionsSchema>;

const { reader, url, blocks } = optionsSchema.parse(JSON.parse(process.argv[2] ?? ''));
const read = await open[reader](url, blocks);
process.once('disconnect', () => process.exit());
process.send?.('ready');
for await (const _ of on(process, 'message')) {
  const before = process.cpuUsage();
  const found = await read(blocks);
  const { user, system } = process.cpuUsage(before);
  process.send?.({ milliseconds: (user + system) / 1_000, found });
}
