import { buildSite } from '../web/build.ts';

/* Writes the web pages to a folder, for the bundle of the function that serves them. */

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('No folder to write into. Run: node bin/build-site.ts <folder>');
  process.exit(1);
}
buildSite(folder);
