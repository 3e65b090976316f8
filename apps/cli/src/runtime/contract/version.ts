import manifest from '../../../package.json' with { type: 'json' };

/** Of the program: of its manifest, which all packages of the repository agree with. */
export const VERSION = manifest.version;
