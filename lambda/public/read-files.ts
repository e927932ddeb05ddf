import * as z from 'zod/mini';
import { sendHttp } from '../../core/rpc/http/http-request.ts';
import { SIZE_LIMITS } from '../../core/rpc/http/response-body.ts';
import { jsonText } from '../../core/store/table/decode-item.ts';
import type { DayCells } from './compare-days.ts';
import { type ChainFiles, INDEX, indexSchema, type PublicIndex } from './public-index.ts';

/* Reads the public files of another service, which we need not trust. */

/** A part of a chain is smaller than 4 MB: see write-files.ts. */
const LIMITS = { ...SIZE_LIMITS, largest: SIZE_LIMITS.big };
/** Far more than a row of `/days`. */
const MAX_LINE = 20_000;

export type OtherService = Readonly<{ url: string; signal?: AbortSignal | undefined }>;

/** @throws Error when the service has no index of public files, or cannot be reached */
export async function readPublicIndex(service: OtherService): Promise<PublicIndex> {
  const text = String(await readFile(service, INDEX));
  const { data } = jsonText(indexSchema).safeParse(text);
  if (data) return data;
  throw new Error(`${service.url} has no index of public files that this version can read.`);
}

/**
 * Reads all days of a chain. Does not compare the hashes of the index: both services may write their files at the same time, and a file that
 * is newer than the index only has more days.
 * @throws Error when a file cannot be read
 */
export async function readPublicDays(service: OtherService, { chain, files }: ChainFiles) {
  const days: DayCells[] = [];
  for (const { name } of files.filter((file) => file.name.endsWith('.csv'))) {
    const text = String(await readFile(service, name));
    days.push(...decodeDays(text, `${service.url}, ${chain}`));
  }
  return days;
}

/** Decodes the rows of `/days` in CSV. @throws Error that names a line that is not one */
export function decodeDays(text: string, source: string): DayCells[] {
  const [head = '', ...lines] = text.split('\r\n');
  const names = head.split(',');
  return lines.filter(Boolean).map((line, index) => {
    const cells = line.length > MAX_LINE ? [] : [...line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^",]*)/g)];
    const day = Object.fromEntries(names.map((name, column) => [name, cells[column]?.[1]]));
    if (cells.length === names.length && z.iso.date().safeParse(day.date).success) return day;
    throw new Error(`${source}: line ${index + 2} is not a day.`);
  });
}

function readFile({ url, signal }: OtherService, name: string): Promise<Buffer> {
  const file = `${url.replace(/\/$/, '')}/public/${name}`;
  return sendHttp({ url: file, headers: {}, signal, limits: LIMITS }, ({ status, body }) => {
    if (status !== 200) throw new Error(`status ${status}`);
    return Buffer.from(body);
  }).catch((error: Error) => {
    throw new Error(`${file} cannot be read: ${error.message}.`);
  });
}
