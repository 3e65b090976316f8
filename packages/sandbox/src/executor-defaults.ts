import { homedir } from 'node:os';
import { createSystemClock } from '@signalbox/core';
import type { ExecutorOptions } from './executor-options.ts';

/**
 * The options of an executor that is used alone: all but the workspace have defaults.
 *
 * `stateFolder`: `.signalbox` in the workspace · `path`: `/usr/local/bin:/usr/bin:/bin` · `home`: that of this process ·
 * `confinement`: `required` · `clock`: the machine's.
 */
export type ExecutorChoices = Pick<ExecutorOptions, 'workspace'> & Partial<ExecutorOptions>;

export function withExecutorDefaults(choices: ExecutorChoices): ExecutorOptions {
  return {
    stateFolder: `${choices.workspace}/.signalbox`,
    path: '/usr/local/bin:/usr/bin:/bin',
    home: choices.home ?? homedir(),
    confinement: 'required',
    clock: choices.clock ?? createSystemClock(),
    ...choices,
  };
}
