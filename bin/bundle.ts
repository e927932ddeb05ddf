import { join } from 'node:path';
import { SITE_FOLDER } from '../lambda/pages/paths.ts';
import { bundleEntry, type Entry, entries } from '../lib/bundle.ts';
import { buildSite } from '../web/build.ts';

/* Writes the bundle of a function to a folder: its code, and the web pages for the function that serves them. */

const isEntry = (name: string): name is Entry => entries.includes(name as Entry);

const [entry = '', folder] = process.argv.slice(2);
if (!isEntry(entry) || !folder) {
  console.error(
    `Cannot bundle ${entry || 'nothing'}. Run: node bin/bundle.ts <${entries.join('|')}> <folder>`,
  );
  process.exit(1);
}
bundleEntry(entry, folder);
if (entry === 'pages') buildSite(join(folder, SITE_FOLDER));
