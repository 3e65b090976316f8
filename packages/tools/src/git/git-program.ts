import type { Program } from '@signalbox/core';

/**
 * Runs git with everything turned off that runs other programs or prompts: hooks, pagers, the file system
 * monitor, signatures. Paths are literal, so no name is read as a pattern, and reads don't write the index.
 */
export function gitProgram(subcommand: string, args: readonly string[]): Program & { kind: 'argv' } {
  return {
    kind: 'argv',
    argv: [
      'git',
      '--no-pager',
      '--no-optional-locks',
      '--literal-pathspecs',
      ...SETTINGS.flatMap((setting) => ['-c', setting]),
      subcommand,
      ...args,
    ],
  };
}

const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.quotePath=false',
  'core.askPass=',
  'commit.gpgSign=false',
  'log.showSignature=false',
  'color.ui=false',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
] as const;
