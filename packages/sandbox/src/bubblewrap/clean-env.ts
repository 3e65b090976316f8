import {
  type ClientEnvironment,
  type ExecutionRequest,
  ToolFailure,
  whyVariableRefused,
} from '@signalbox/core';

export type EnvironmentOptions = {
  /** Folders of programs, `:` between them. */
  readonly path: string;
  /** Absolute. Inside the confinement an empty folder stands there. */
  readonly home: string;
  /** File that stands for the operator's own git configuration. */
  readonly gitConfig: string;
  /** See `ExecutorOptions.certificates`. */
  readonly certificates?: Readonly<Record<string, string>>;
};

/**
 * The whole environment of a command: nothing of ours is inherited.
 *
 * @throws {ToolFailure} `env_not_allowed` for a name or value that must not be set by a call.
 */
export function cleanEnvironment(
  request: Pick<ExecutionRequest, 'commandId' | 'env' | 'workspace' | 'clientEnv' | 'network'>,
  options: EnvironmentOptions,
): Record<string, string> {
  for (const [name, value] of Object.entries(request.env)) refuse(name, value);
  return {
    PATH: options.path,
    HOME: options.home,
    SHELL: '/bin/bash',
    TERM: 'dumb',
    ...localeAndZone(request.clientEnv),
    PAGER: 'cat',
    MANPAGER: 'cat',
    GIT_CONFIG_GLOBAL: options.gitConfig,
    ...gitEnvironment(request.workspace),
    ...(request.network === 'off' ? WITHOUT_NETWORK : {}),
    ...options.certificates,
    ...request.env,
    SIGNALBOX_COMMAND: request.commandId,
  };
}

/** npm and others look for a newer version of themselves: a failed line would be taken for one that needed the network. */
const WITHOUT_NETWORK = { npm_config_update_notifier: 'false', NO_UPDATE_NOTIFIER: '1' };

/** Of the client where it has any; `LC_ALL` would go over the rest of it. */
function localeAndZone(client: ClientEnvironment = {}): Record<string, string> {
  const own = Object.entries(client).filter(([name, value]) => name !== 'PATH' && value !== undefined);
  const hasLocale = own.some(([name]) => name !== 'TZ');
  return { LANG: 'C.UTF-8', ...(hasLocale ? {} : { LC_ALL: 'C.UTF-8' }), ...Object.fromEntries(own) };
}

/**
 * Nothing of a repository's configuration may start a program while git only looks, or wait for a person. A bare
 * repository among the files of a project is one only where a line names it (`--git-dir`, a remote): git would read
 * programs from its settings, which came with the files (`safe.bareRepository`, git 2.38 or later).
 */
function gitEnvironment(workspace: 'read' | 'write'): Record<string, string> {
  const settings = [
    ['core.fsmonitor', 'false'],
    ['core.pager', 'cat'],
    ['core.askPass', ''],
    ['safe.bareRepository', 'explicit'],
    ...(workspace === 'read' ? [['core.hooksPath', '/dev/null']] : []),
  ];
  const pairs = settings.flatMap(([key = '', value = ''], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(pairs),
  };
}

function refuse(name: string, value: string): void {
  const why = whyVariableRefused(name, value);
  if (why === null) return;
  throw new ToolFailure({
    code: 'env_not_allowed',
    category: 'PolicyBlocked',
    message: `Cannot set the variable "${name}": it ${why}`,
    suggestion: 'Leave the variable out',
  });
}
