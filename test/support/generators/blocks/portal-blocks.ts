import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { createReceiptCompleter } from '#core/proof/raw/bloomless-receipts.ts';
import type { BlockBytes } from '#core/proof/raw/prove-raw-block.ts';
import { transactionsOfBody } from '#core/proof/raw/raw-body.ts';

/** Reads the parts of a block of portal-spec-tests, whose receipts have no blooms, as in an era file. */
export function readPortalBlock(number: number): BlockBytes {
  const yaml = gunzipSync(readFileSync(`test/fixtures/portal-blocks/${number}.yaml.gz`)).toString();
  const part = (name: string) =>
    Buffer.from(new RegExp(`^${name}: 0x(.*)$`, 'm').exec(yaml)?.[1] ?? '', 'hex');
  return {
    header: part('header'),
    transactions: transactionsOfBody(part('body')),
    receipts: createReceiptCompleter('ere')(part('receipts')),
  };
}
