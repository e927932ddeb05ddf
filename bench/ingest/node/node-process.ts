import * as z from 'zod';
import { chainNames, chainOf } from '../../../core/chains/chains.ts';
import { LOOPBACK, listen } from '../../../local/listen.ts';
import { cannedChain } from './chain.ts';
import { cannedServer } from './server.ts';

/* A canned node in a child process of open.ts, which exits with its parent. */

const optionsSchema = z.object({
  chain: z.enum(chainNames),
  transactions: z.number(),
  latencyMs: z.number().default(0),
  atOnce: z.number().default(Number.POSITIVE_INFINITY),
  perSecond: z.number().optional(),
  isRaw: z.boolean().default(false),
});
export type NodeOptions = z.input<typeof optionsSchema>;

const { chain, transactions, ...pace } = optionsSchema.parse(JSON.parse(process.argv[2] ?? ''));
const server = cannedServer(await cannedChain(chainOf(chain), transactions), pace);
const port = await listen(server, { host: LOOPBACK, port: 0 });
process.send?.({ url: `http://${LOOPBACK}:${port}` });
process.once('disconnect', () => process.exit());
