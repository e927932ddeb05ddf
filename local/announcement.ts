import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { chainNames } from '../lambda/chains/chains.ts';

/* How the operator's commands find the service that runs on this machine: it leaves a note, named by its port. */

/** The nodes' URLs may hold secrets, so nobody but its owner reads the note. */
const FOLDER = fileURLToPath(new URL('../.local', import.meta.url));

const announcementSchema = z.object({
  pid: z.int(),
  /** Where the API answers. */
  url: z.url(),
  /** Where the DynamoDB API of its table answers. */
  tableUrl: z.url(),
  /** First day that is ingested. */
  from: z.iso.date(),
  chains: z.array(
    z.object({
      name: z.enum(chainNames),
      urls: z.array(z.url()),
      confirmations: z.int().optional(),
      /** Whether its nodes are those of a development chain. */
      isDevelopment: z.boolean(),
    }),
  ),
});

export type Announcement = z.output<typeof announcementSchema>;

/**
 * Leaves the note.
 * @returns what takes it away again
 */
export function announce(announcement: Announcement): () => void {
  const file = join(FOLDER, `${new URL(announcement.url).port}.json`);
  mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
  removeLeftOver();
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify(announcement), { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** A service that is killed leaves its note behind. */
function removeLeftOver(): void {
  for (const name of readdirSync(FOLDER)) {
    const left = read(join(FOLDER, name));
    if (left && !isAlive(left.pid)) rmSync(join(FOLDER, name), { force: true });
  }
}

/** The services that run on this machine from this folder, by their ports. Notes of those that were killed are passed over. */
export function readAnnouncements(): ReadonlyMap<number, Announcement> {
  const names = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  return new Map(
    names.flatMap((name) => {
      const announcement = read(join(FOLDER, name));
      return announcement && isAlive(announcement.pid) ? [[Number.parseInt(name, 10), announcement]] : [];
    }),
  );
}

/** @returns undefined for one that is just being written, or is of another version of this code */
function read(file: string): Announcement | undefined {
  try {
    return announcementSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
