/**
 * Why a command must not get this environment variable, from settings or from a call: `changes what a line means …`.
 * Null when it may.
 */
export function whyVariableRefused(name: string, value: string): string | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return 'is no name of a variable';
  if (value.includes('\0')) return 'holds a NUL';
  if (value.startsWith('() {')) return 'holds a function of the shell';
  if (ALLOWED_GIT.test(name)) return null;
  const refused = REFUSED_NAMES.has(name) || REFUSED_PREFIXES.some((prefix) => name.startsWith(prefix));
  return refused ? 'changes what a line means or which code runs' : null;
}

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
