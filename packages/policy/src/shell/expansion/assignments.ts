import type { Span } from '@signalbox/core';
import { holdPort } from '../held-resources.ts';
import { locate } from '../paths/paths.ts';
import type { EvaluationContext } from '../program.ts';
import type { Value } from '../word.ts';

/** Names that affect only language, colours and the usual modes of builds. */
const HARMLESS =
  /^(?:LC_[A-Z]+|LANG|LANGUAGE|TZ|CI|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES|TERM|NODE_ENV|MIX_ENV|RAILS_ENV|RACK_ENV|APP_ENV|GO_ENV|RUST_BACKTRACE|RUST_LOG|CARGO_TERM_COLOR|CARGO_INCREMENTAL|DEBUG|VERBOSE|LOG_LEVEL|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONHASHSEED|PYTHONUTF8|PYTHONIOENCODING|PYTEST_DISABLE_PLUGIN_AUTOLOAD|GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS|GIT_MERGE_AUTOEDIT|CGO_ENABLED|GOOS|GOARCH|GO111MODULE|NPM_CONFIG_LOGLEVEL|DISABLE_OPENCOLLECTIVE|HUSKY|JEST_WORKER_ID|VITEST|TEST|BABEL_ENV|SOURCE_DATE_EPOCH|POSIXLY_CORRECT)$/;

/** `TERM=../x`, `LC_ALL=/x`, `TZ=:/x`: instead of a name, a file that is loaded. */
const NAMES_FILE = /^:?[./]|\.\.\//;

/** Pagers and editors that only show. */
const SHOWING = /^(?:GIT_PAGER|PAGER|MANPAGER|GIT_EDITOR|EDITOR|VISUAL|GIT_SEQUENCE_EDITOR)$/;

/** Names whose value is code or a program, or where programs and libraries are found. */
const CODE =
  /^(?:PATH|LD_.*|DYLD_.*|BASH_ENV|ENV|IFS|PS[0-4]|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|BASH_(?:FUNC_.*|ALIASES|CMDS)|CDPATH|GLOBIGNORE|HOME|SHELL|GIT_(?!(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$).*|NODE_OPTIONS|PYTHON(?:STARTUP|HOME|INSPECT|BREAKPOINT|WARNINGS)|PERL5(?:LIB|OPT|DB)|PERL5DB|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|PAGER|MANPAGER|LESSOPEN|LESSCLOSE|EDITOR|VISUAL|FCEDIT|BROWSER|SSH_ASKPASS|SUDO_ASKPASS|RUSTC(?:_WRAPPER|_WORKSPACE_WRAPPER)?|RUSTFLAGS|CARGO_ENCODED_RUSTFLAGS|MAKEFLAGS|GNUMAKEFLAGS|GOFLAGS|GOENV|GOROOT|GOTOOLDIR|ERL_A?FLAGS|ELIXIR_ERL_OPTIONS|MAVEN_OPTS|GRADLE_OPTS|CARGO_BUILD_RUSTC.*|CARGO_TARGET_.*_(?:RUNNER|LINKER)|MAKEFILES|GCONV_PATH|LOCPATH|OPENSSL_CONF|OPENSSL_ENGINES|SSLKEYLOGFILE|RIPGREP_CONFIG_PATH|TAR_OPTIONS|EXINIT|VIMINIT|WGETRC|CURL_HOME|npm_config_.*|NPM_CONFIG_.*|BASH_XTRACEFD)$/;

/** Those of them that are everyday settings when they load nothing, by each word of their values. */
const TUNING: ReadonlyMap<string, RegExp> = new Map([
  [
    'NODE_OPTIONS',
    /^--(?:max[-_]old[-_]space[-_]size=\d+|no-warnings|no-deprecation|enable-source-maps|trace-warnings|unhandled-rejections=\w+|openssl-legacy-provider)$/,
  ],
  [
    'MAKEFLAGS',
    /^(?:-?[Bikns]*|-[Bikns]*[jl]\d*|\d+|--(?:jobs|load-average)=\d*|--(?:no-print-directory|keep-going|silent|quiet))$/,
  ],
  [
    'GOFLAGS',
    /^-(?:mod=(?:mod|vendor|readonly)|race|v|x|count=\d+|p=\d+|short|trimpath|buildvcs=\w+|tags=[\w,]+)$/,
  ],
  [
    'RUSTFLAGS',
    /^(?:-[DAWC]|-[DAW][\w:-]+|\w[\w:-]*|(?:-C)?(?:target-cpu|opt-level|debuginfo|target-feature)=[\w+,-]+)$/,
  ],
  ['GOENV', /^off$/],
]);

function isTuning(name: string, text: string): boolean {
  const word = TUNING.get(name);
  return word !== undefined && text.split(/\s/).every((one) => one === '' || word.test(one));
}

/** Judges `NAME=value` before a command, in `env` or in `export`. */
export function judgeVariable(
  name: string,
  value: Value,
  { span, context }: Readonly<{ span: Span; context: EvaluationContext }>,
): void {
  if (name === 'PORT' && value.kind === 'literal') holdPort(value.text, context);
  // The folder in which `mktemp` and others create their files.
  if (name === 'TMPDIR') context.report.effect({ kind: 'write-unknown' });
  const isPath = value.kind === 'literal' && NAMES_FILE.test(value.text);
  if (HARMLESS.test(name) && !isPath) return;
  if (name === 'IFS')
    return context.report.raise('warning', 'changes-shell', {
      text: 'changes how words are split (IFS)',
      span,
    });
  const text = value.kind === 'literal' ? value.text : undefined;
  if (SHOWING.test(name) && (text === '' || text === 'cat' || text === 'true' || text === ':')) return;
  if (text !== undefined && isTuning(name, text)) {
    if (!text.includes('-mod=mod')) return;
    context.report.effect({ kind: 'write-unknown' });
    return context.report.raise('warning', 'modifies', { text: 'lets go rewrite go.mod and go.sum', span });
  }
  context.report.sources.variables += 1;
  if (CODE.test(name) || (name === 'GOWORK' && leavesWorkspace(text, context))) {
    context.report.effect({ kind: 'write-unknown' });
    context.report.raise('dangerous', 'code-variable', {
      text: `sets ${name}, which decides what code runs`,
      span,
    });
  } else {
    context.report.raise('warning', 'sets-variable', { text: `sets ${name} for a program`, span });
  }
}

/** Go works on all modules that such a file names. */
function leavesWorkspace(text: string | undefined, { state, lineContext }: EvaluationContext): boolean {
  if (text === 'off' || text === '') return false;
  return text === undefined || locate(text, state.cwd, lineContext)?.place !== 'inside';
}

/** A plain `name=value`: harmless unless the shell or a later program obeys that name. */
export function judgeShellVariable(name: string, span: Span, context: EvaluationContext): void {
  // `~+`, `~-` and `cd -` follow them, in whatever directory the shell really is.
  if (name === 'PWD' || name === 'OLDPWD') {
    context.report.effect({ kind: 'write-unknown' });
    return context.report.raise('warning', 'changes-shell', {
      text: `sets ${name}, which changes where paths lead`,
      span,
    });
  }
  if (!CODE.test(name)) return;
  if (name === 'IFS')
    return context.report.raise('warning', 'changes-shell', {
      text: 'changes how words are split (IFS)',
      span,
    });
  context.report.effect({ kind: 'write-unknown' });
  context.report.raise('dangerous', 'code-variable', {
    text: `sets ${name}, which decides what code runs`,
    span,
  });
}
