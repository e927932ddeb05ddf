/** Path at which everyone may read the days that a stage opens. */
export const PUBLIC_DAYS_PATH = '/public-days.json';

/** Folder of what everyone may read, in the bucket of the exports. The pages may read no other. */
export const PUBLIC_FOLDER = 'public/';

/** Object with these days. */
export const PUBLIC_DAYS_OBJECT = `${PUBLIC_FOLDER}days.json`;

/** Path of the files with all final days, if a stage opens them. */
export const PUBLIC_FILES_PATH = '/public/{file}';

/** Path of the chart that other pages may show in a frame. */
export const EMBED_PATH = '/embed';

/** Every path that is not another's. API Gateway's own answer to those is the same for browsers as for programs. */
export const OTHER_PATH = '/{proxy+}';

/** The paths that need no key in any stage. The CDK stack and the local gateway are both built from this list. */
export const pagePaths = [
  '/',
  '/docs',
  '/openapi.json',
  '/clients/{file}',
  '/assets/{file}',
  OTHER_PATH,
] as const;

export const pageMethods = ['GET', 'HEAD'] as const;

/** Folder of the pages and their assets within the bundle of their function. */
export const SITE_FOLDER = 'site';
