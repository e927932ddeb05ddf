import packageJson from '../package.json' with { type: 'json' };

/** Set in the bundles of functions, which then need not contain package.json. */
declare const BUNDLED_VERSION: string | undefined;

/** Stored with each day as `software_version`, and part of the API's entity tags. */
export const SOFTWARE_VERSION: string =
  typeof BUNDLED_VERSION === 'undefined' ? packageJson.version : BUNDLED_VERSION;
