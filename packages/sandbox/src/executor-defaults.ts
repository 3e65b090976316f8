import { homedir } from 'node:os';
import { createSystemClock, requireKnownOptions } from '@signalbox/core';
import type { ExecutorOptions } from './executor-options.ts';

/**
 * The options of an executor that is used alone: all but the workspace have defaults.
 *
 * `stateFolder`: `.signalbox` in the workspace · `path`: `/usr/local/bin:/usr/bin:/bin` · `home`: that of this process ·
 * `confinement`: `required` · `clock`: the machine's.
 */
export type ExecutorChoices = Pick<ExecutorOptions, 'workspace'> & Partial<ExecutorOptions>;

/** @throws {UsageError} `invalid-arguments` for an option that does not exist */
export function withExecutorDefaults(choices: ExecutorChoices): ExecutorOptions {
  requireKnownOptions('createExecutor', choices, OPTIONS);
  return {
    stateFolder: `${choices.workspace}/.signalbox`,
    path: '/usr/local/bin:/usr/bin:/bin',
    home: choices.home ?? homedir(),
    confinement: 'required',
    clock: choices.clock ?? createSystemClock(),
    ...choices,
  };
}

const OPTIONS: Readonly<Record<keyof ExecutorOptions, true>> = {
  workspace: true,
  stateFolder: true,
  path: true,
  home: true,
  confinement: true,
  clock: true,
  onTrial: true,
  gitIdentity: true,
  visible: true,
  certificates: true,
  isDenied: true,
  readView: true,
  namedFiles: true,
  runningCalls: true,
  transactions: true,
  transactionRules: true,
  writer: true,
  filesInMemoryBytes: true,
  disk: true,
  resolve: true,
  accounts: true,
  bubblewrap: true,
  container: true,
  sandboxRuntime: true,
  standby: true,
  graceMs: true,
};
