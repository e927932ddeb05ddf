import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** A file as it is served. */
export interface SiteFile {
  readonly mediaType: string;
  readonly body: string;
  readonly etag: string;
}

export const siteFile = (mediaType: string, body: string): SiteFile => ({
  mediaType,
  body,
  etag: `"${createHash('sha256').update(body).digest('base64url')}"`,
});

/** Files by their path below the root of the API, such as `/docs`. */
export type Site = ReadonlyMap<string, SiteFile>;

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
  '.mjs': 'text/javascript',
  '.py': 'text/x-python',
};

/**
 * Reads all files of a folder that web/build.ts has written.
 * @param keyUrl where people ask for a key, which the pages link to; none when empty
 * @throws Error when a file's type has no media type here
 */
export function readSite(folder: string, keyUrl = ''): Site {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return new Map(
    files.map(({ name, parentPath }) => {
      const file = join(parentPath, name);
      const path = file.slice(folder.length).replaceAll('\\', '/').replace(/^\/*/, '');
      return [paths[path] ?? `/${path}`, readSiteFile(file, keyUrl)];
    }),
  );
}

/** In the pages that link to it. The setting allows no character that ends it. */
const KEY_URL = 'name="key-url" content=""';

/** Reads a file as text: all files are, so that API Gateway needs no binary media types. */
function readSiteFile(file: string, keyUrl: string): SiteFile {
  const type = extname(file);
  const mediaType = mediaTypes[type];
  if (!mediaType)
    throw new Error(`Cannot serve ${file}: ${type} has no media type. Add one to lambda/pages/site.ts.`);
  const text = readFileSync(file, 'utf8');
  const body = type === '.html' ? text.replace(KEY_URL, () => `name="key-url" content="${keyUrl}"`) : text;
  return siteFile(mediaType, body);
}
