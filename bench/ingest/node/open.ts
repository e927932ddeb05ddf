import * as z from 'zod';
import { openChild } from '../child.ts';
import type { NodeOptions } from './node-process.ts';

const readySchema = z.object({ url: z.string() });

/** Starts a canned node in another process, so that what it does is not measured with what it is asked by. */
export async function openNode(options: NodeOptions): Promise<{ readonly url: string } & AsyncDisposable> {
  const child = await openChild(new URL('node-process.ts', import.meta.url), options);
  return { ...readySchema.parse(child.message), [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
}
