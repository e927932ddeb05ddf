import * as z from 'zod';
import { openChild } from '../child.ts';
import type { NodeOptions } from './node-process.ts';

const readySchema = z.object({ url: z.string() });

/** Starts a canned node in a child process, so that measurements exclude its CPU time. */
export async function openNode(options: NodeOptions): Promise<{ readonly url: string } & AsyncDisposable> {
  const child = await openChild(new URL('node-process.ts', import.meta.url), options);
  return { ...readySchema.parse(child.message), [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
}
