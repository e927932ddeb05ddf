/** The paths that need no key. The CDK stack and the local gateway are both built from this list. */
export const pagePaths = ['/', '/embed', '/docs', '/openapi.json', '/assets/{file}'] as const;

export const pageMethods = ['GET', 'HEAD'] as const;

/** Folder of the pages and their assets within the bundle of their function. */
export const SITE_FOLDER = 'site';
