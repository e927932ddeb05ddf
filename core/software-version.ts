import packageJson from '../package.json' with { type: 'json' };

/** Stored with each day as `software_version`, and part of the API's entity tags. */
export const SOFTWARE_VERSION: string = packageJson.version;
