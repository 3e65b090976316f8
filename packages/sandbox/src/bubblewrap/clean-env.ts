import {
  type ClientEnvironment,
  type ExecutionRequest,
  ToolFailure,
  whyVariableRefused,
} from '@signalbox/core';

export type EnvironmentOptions = {
  /** Folders of programs, separated by `:`. */
  readonly path: string;
  /** Absolute. Commands see an empty folder there. */
  readonly home: string;
  /** Replaces the operator's own git configuration. */
  readonly gitConfig: string;
  /** See `ExecutorOptions.certificates`. */
  readonly certificates?: Readonly<Record<string, string>>;
};

/**
 * Builds the complete environment of a command; ours is not inherited.
 *
 * @throws {ToolFailure} `env_not_allowed` for a name or value a call may not set
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

/** Turns off update checks: a failed one would look as if the line needed the network. */
const WITHOUT_NETWORK = { npm_config_update_notifier: 'false', NO_UPDATE_NOTIFIER: '1' };

/** Takes the client's values if it has any. `LC_ALL` would override the others. */
function localeAndZone(client: ClientEnvironment = {}): Record<string, string> {
  const own = Object.entries(client).filter(([name, value]) => name !== 'PATH' && value !== undefined);
  const hasLocale = own.some(([name]) => name !== 'TZ');
  return { LANG: 'C.UTF-8', ...(hasLocale ? {} : { LC_ALL: 'C.UTF-8' }), ...Object.fromEntries(own) };
}

/**
 * Keeps a repository's configuration from starting programs when git only reads, and from waiting for input. A
 * bare repository among the project's files is used only if a line names it (`--git-dir`, a remote), since its
 * settings, which came with the files, may name programs (`safe.bareRepository`, git 2.38 or later).
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
