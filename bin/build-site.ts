import { buildSite } from '../web/build.ts';

/* Writes the pages for people into a folder, for the bundle of the function that serves them. */

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('Name the folder to write into: node bin/build-site.ts <folder>');
  process.exit(1);
}
buildSite(folder);
