import type { Span } from '@signalbox/core';
import type { Scene } from './program.ts';
import type { Value } from './word.ts';

/** Names that change nothing but language, colours and the usual modes of builds. */
const HARMLESS =
  /^(?:LC_[A-Z]+|LANG|LANGUAGE|TZ|CI|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES|TERM|NODE_ENV|MIX_ENV|RAILS_ENV|RACK_ENV|APP_ENV|GO_ENV|RUST_BACKTRACE|RUST_LOG|CARGO_TERM_COLOR|CARGO_INCREMENTAL|DEBUG|VERBOSE|LOG_LEVEL|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONHASHSEED|PYTHONUTF8|PYTHONIOENCODING|PYTEST_DISABLE_PLUGIN_AUTOLOAD|GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS|GIT_MERGE_AUTOEDIT|GOFLAGS_SAFE|CGO_ENABLED|GOOS|GOARCH|GO111MODULE|NPM_CONFIG_LOGLEVEL|DISABLE_OPENCOLLECTIVE|ADBLOCK|HUSKY|JEST_WORKER_ID|VITEST|TEST|BABEL_ENV|SOURCE_DATE_EPOCH|POSIXLY_CORRECT)$/;

/** Pagers and editors that only show. */
const SHOWING = /^(?:GIT_PAGER|PAGER|MANPAGER|GIT_EDITOR|EDITOR|VISUAL|GIT_SEQUENCE_EDITOR)$/;

/** Names whose value is code, a program, or where programs and libraries are found. */
const CODE =
  /^(?:PATH|LD_.*|DYLD_.*|BASH_ENV|ENV|IFS|PS[0-4]|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|BASH_FUNC_.*|CDPATH|GLOBIGNORE|HOME|SHELL|GIT_.*|NODE_OPTIONS|NODE_PATH|NPM_CONFIG_.*|npm_config_.*|PYTHON(?:PATH|STARTUP|HOME|INSPECT|WARNINGS|BREAKPOINT|USERBASE)|PERL5?(?:LIB|OPT|DB)|PERL5LIB|PERL5OPT|PERL5DB|RUBY(?:OPT|LIB)|GEM_(?:HOME|PATH)|BUNDLE_.*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS|CLASSPATH|PAGER|MANPAGER|LESSOPEN|LESSCLOSE|EDITOR|VISUAL|FCEDIT|BROWSER|SSH_ASKPASS|SUDO_ASKPASS|RUSTC(?:_WRAPPER|_WORKSPACE_WRAPPER)?|RUSTFLAGS|RUSTDOCFLAGS|CARGO_.*|GOFLAGS|GOPROXY|GOTOOLCHAIN|CC|CXX|LD|AR|MAKEFLAGS|MAKEFILES|GNUMAKEFLAGS|CFLAGS|LDFLAGS|PIP_.*|UV_.*|ERL_.*|ELIXIR_ERL_OPTIONS|DOCKER_HOST|KUBECONFIG|RIPGREP_CONFIG_PATH|TAR_OPTIONS|GREP_OPTIONS|GCONV_PATH|LOCPATH|NLSPATH|OPENSSL_CONF|SSLKEYLOGFILE|https?_proxy|HTTPS?_PROXY|ALL_PROXY|HISTFILE|EXINIT|VIMINIT|TMPDIR|TMP|TEMP|WGETRC|CURL_HOME|XDG_.*|COMP_WORDBREAKS|BASH_XTRACEFD)$/;

/** Judges `NAME=value` before a command, in `env` or in `export`. */
export function judgeVariable(name: string, value: Value, span: Span, scene: Scene): void {
  if (HARMLESS.test(name)) return;
  const text = value.kind === 'literal' ? value.text : undefined;
  if (SHOWING.test(name) && (text === '' || text === 'cat' || text === 'true' || text === ':')) return;
  scene.report.effect({ kind: 'write-unknown' });
  if (CODE.test(name)) {
    scene.report.raise('dangerous', 'code-variable', `sets ${name}, which decides what code runs`, span);
  } else {
    scene.report.raise('warning', 'sets-variable', `sets ${name} for a program`, span);
  }
}

/** A plain `name=value`: harmless unless the shell or a later program obeys that name. */
export function judgeShellVariable(name: string, span: Span, scene: Scene): void {
  if (!CODE.test(name) || name === 'CC' || name === 'LD' || name === 'AR') return;
  scene.report.effect({ kind: 'write-unknown' });
  scene.report.raise('dangerous', 'code-variable', `sets ${name}, which decides what code runs`, span);
}
