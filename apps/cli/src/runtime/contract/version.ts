import manifest from '../../../package.json' with { type: 'json' };

/** From the program's manifest; all packages of the repository have the same version. */
export const VERSION = manifest.version;
