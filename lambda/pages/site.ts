import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** A file that a browser is given: text alone, so that API Gateway needs to know of no binary types. */
interface SiteFile {
  readonly mediaType: string;
  readonly body: string;
  readonly etag: string;
}

/** Files by their path below the root of the API, such as `/docs`. */
export type Site = ReadonlyMap<string, SiteFile>;

/** Paths that are not those of their files. */
const paths: Readonly<Record<string, string>> = { 'index.html': '/', 'docs.html': '/docs' };

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/**
 * All files of a folder that bin/build-site.ts has written.
 * @throws Error naming a file whose type nobody knows
 */
export function readSite(folder: string): Site {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return new Map(
    files.map(({ name, parentPath }) => {
      const file = join(parentPath, name);
      const path = file.slice(folder.length).replaceAll('\\', '/').replace(/^\/*/, '');
      return [paths[path] ?? `/${path}`, readSiteFile(file)];
    }),
  );
}

function readSiteFile(file: string): SiteFile {
  const mediaType = mediaTypes[extname(file)];
  if (!mediaType) throw new Error(`${file} cannot be served: its type is not in lambda/pages/site.ts`);
  const body = readFileSync(file, 'utf8');
  const hash = createHash('sha256').update(body).digest('base64url');
  return { mediaType, body, etag: `"${hash}"` };
}
