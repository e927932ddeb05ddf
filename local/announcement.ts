import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { chainNames } from '../core/chains/chains.ts';
import { sourceSettings } from '../core/settings/chain-settings.ts';

/* Files with which the command line finds services on this machine. Each is named by the port of its service. */

/** Readable by its owner only, because node URLs may contain secrets. */
const FOLDER = fileURLToPath(new URL('../.local', import.meta.url));

const announcementSchema = z.object({
  pid: z.int(),
  url: z.url(),
  tableUrl: z.url(),
  /** First day that is ingested. */
  from: z.iso.date(),
  chains: z.array(
    z.object({
      name: z.enum(chainNames),
      urls: z.array(z.url()),
      ...sourceSettings,
      /** A day that is left out on purpose. */
      gap: z.iso.date().optional(),
      /** The first day of a development chain. */
      firstDay: z.iso.date().optional(),
    }),
  ),
});

export type Announcement = z.input<typeof announcementSchema>;

/** Writes an announcement. @returns a function that deletes it */
export function announce(announcement: Announcement): () => void {
  const file = join(FOLDER, `${new URL(announcement.url).port}.json`);
  mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
  readAnnouncements();
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify(announcementSchema.parse(announcement)), { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** Returns the services that run from this folder, by port. Deletes announcements of services that were killed. */
export function readAnnouncements(): ReadonlyMap<number, Announcement> {
  const names = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  return new Map(
    names.flatMap((name) => {
      const announcement = read(join(FOLDER, name));
      if (announcement && isAlive(announcement.pid)) return [[Number.parseInt(name, 10), announcement]];
      if (announcement) rmSync(join(FOLDER, name), { force: true });
      return [];
    }),
  );
}

/** @returns undefined when the file is incomplete or from another version */
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
