import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** Files by their path below the root of the API, such as `/docs`. */
export type Site = ReturnType<typeof readSite>;

/** Files whose path differs from their name. */
const paths: Readonly<Record<string, string>> = {
  'index.html': '/',
  'embed.html': '/embed',
  'docs.html': '/docs',
};

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/**
 * Reads all files of a folder that web/build.ts has written.
 * @throws Error when a file's type has no media type here
 */
export function readSite(folder: string) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return new Map(
    files.map(({ name, parentPath }) => {
      const file = join(parentPath, name);
      const path = file.slice(folder.length).replaceAll('\\', '/').replace(/^\/*/, '');
      return [paths[path] ?? `/${path}`, readSiteFile(file)];
    }),
  );
}

/** Reads a file as text: all files are, so that API Gateway needs no binary media types. */
function readSiteFile(file: string) {
  const type = extname(file);
  const mediaType = mediaTypes[type];
  if (!mediaType)
    throw new Error(`Cannot serve ${file}: ${type} has no media type. Add one to lambda/pages/site.ts.`);
  const body = readFileSync(file, 'utf8');
  const hash = createHash('sha256').update(body).digest('base64url');
  return { mediaType, body, etag: `"${hash}"` };
}
