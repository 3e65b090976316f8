import { type ClientEnvironment, type ExecutionRequest, ToolFailure } from '@signalbox/core';

export type EnvironmentOptions = {
  /** Folders of programs, `:` between them. */
  readonly path: string;
  /** Absolute. Inside the confinement an empty folder stands there. */
  readonly home: string;
  /** File that stands for the operator's own git configuration. */
  readonly gitConfig: string;
};

/** Names that change which code runs, or what a line means (classifier rule 10). */
const REFUSED_NAMES: ReadonlySet<string> = new Set(
  `
  PATH HOME SHELL ENV BASH_ENV BASHOPTS SHELLOPTS BASH_XTRACEFD PS0 PS1 PS2 PS4 PROMPT_COMMAND IFS
  CDPATH GLOBIGNORE EXECIGNORE POSIXLY_CORRECT TMOUT PAGER MANPAGER LESSOPEN LESSCLOSE EDITOR VISUAL
  BROWSER LC_ALL LOCPATH NLSPATH GCONV_PATH HOSTALIASES MALLOC_TRACE RESOLV_HOST_CONF NODE_OPTIONS
  NODE_PATH NODE_EXTRA_CA_CERTS PYTHONPATH PYTHONSTARTUP PYTHONHOME PYTHONINSPECT PYTHONBREAKPOINT
  PYTHONWARNINGS PYTHONUSERBASE PERL5LIB PERLLIB PERL5OPT PERL5DB RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS
  _JAVA_OPTIONS JDK_JAVA_OPTIONS MAVEN_OPTS GRADLE_OPTS RUSTC_WRAPPER RUSTC RUSTFLAGS GOFLAGS
  MAKEFLAGS MAKEFILES GNUMAKEFLAGS ERL_FLAGS ERL_AFLAGS ELIXIR_ERL_OPTIONS OPENSSL_CONF
  OPENSSL_MODULES SSH_ASKPASS SUDO_ASKPASS RIPGREP_CONFIG_PATH WGETRC CURL_HOME TERMINFO INPUTRC
  XDG_CONFIG_HOME XDG_CONFIG_DIRS ZDOTDIR
`.split(/\s+/),
);

const REFUSED_PREFIXES = ['LD_', 'DYLD_', 'BASH_FUNC_', 'GIT_', 'SIGNALBOX_', 'npm_config_', 'NPM_CONFIG_'];

const ALLOWED_GIT = /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$/;

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
  const why = whyRefused(name, value);
  if (why === null) return;
  throw new ToolFailure({
    code: 'env_not_allowed',
    category: 'PolicyBlocked',
    message: `Cannot set the variable "${name}": ${why}`,
    suggestion: 'Leave the variable out',
  });
}

function whyRefused(name: string, value: string): string | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return 'it is no name of a variable';
  if (value.includes('\0')) return 'its value holds a NUL';
  if (value.startsWith('() {')) return 'its value is a function of the shell';
  if (ALLOWED_GIT.test(name)) return null;
  const refused = REFUSED_NAMES.has(name) || REFUSED_PREFIXES.some((prefix) => name.startsWith(prefix));
  return refused ? 'it changes what a line means or which code runs' : null;
}
