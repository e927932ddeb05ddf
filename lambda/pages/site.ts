import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { EMBED_PATH, OTHER_PATH } from './paths.ts';

export interface SiteFile {
  readonly mediaType: string;
  readonly body: string;
  readonly etag: string;
  /** Set for a body in Base64, which is compressed already and sent as it is. */
  readonly isBinary?: true;
}

export const siteFile = (mediaType: string, body: string): SiteFile => ({
  mediaType,
  body,
  etag: `"${createHash('sha256').update(body).digest('base64url')}"`,
});

export const binaryFile = (mediaType: string, bytes: Buffer): SiteFile => ({
  ...siteFile(mediaType, bytes.toString('base64')),
  isBinary: true,
});

/** Files by their path below the root of the API, such as `/docs`. */
export type Site = ReadonlyMap<string, SiteFile>;

/** Files whose path differs from their name. */
const paths: Readonly<Record<string, string>> = {
  'index.html': '/',
  'embed.html': EMBED_PATH,
  'docs.html': '/docs',
  'missing.html': OTHER_PATH,
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

/** The settings that a stage writes into its pages, by the name of a `meta` element. */
type PageSettings = Readonly<Record<'key-url' | 'chains' | 'embed' | 'public-days', string>>;

/** Reads all files of a folder that web/build.ts has written. @throws Error when a file's type has no media type here */
export function readSite(folder: string, settings: Partial<PageSettings> = {}): Site {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return new Map(
    files.map(({ name, parentPath }) => {
      const file = join(parentPath, name);
      const path = file.slice(folder.length).replaceAll('\\', '/').replace(/^\/*/, '');
      return [paths[path] ?? `/${path}`, readSiteFile(file, settings)];
    }),
  );
}

/** Returns a page with the settings. None allows a character that ends its attribute. */
const withSettings = (page: string, settings: Partial<PageSettings>): string =>
  Object.entries(settings).reduce(
    (text, [name, value]) =>
      text.replace(`name="${name}" content=""`, () => `name="${name}" content="${value}"`),
    page,
  );

/** Reads a file as text: all files are, so API Gateway can compress them. */
function readSiteFile(file: string, settings: Partial<PageSettings>): SiteFile {
  const type = extname(file);
  const mediaType = mediaTypes[type];
  if (!mediaType)
    throw new Error(`Cannot serve ${file}: ${type} has no media type. Add one to lambda/pages/site.ts.`);
  const text = readFileSync(file, 'utf8');
  const body = type === '.html' ? withSettings(text, settings) : text;
  return siteFile(mediaType, body);
}
