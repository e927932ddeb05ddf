import packageJson from '../package.json' with { type: 'json' };

/** What is stored with each day as the software that made it. */
export const SOFTWARE_VERSION: string = packageJson.version;
