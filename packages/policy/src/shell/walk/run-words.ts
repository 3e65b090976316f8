import { applyRule } from './apply-rule.ts';
import { buildsOnline, fetchesOfBuild } from '../network/fetches-of-build.ts';
import { fetchingFrom, getsPackages, sourceOf } from '../network/fetches-from.ts';
import { holdPorts } from '../held-resources.ts';
import { inProjectFolder } from '../paths/project-folder.ts';
import { reachingService } from '../network/local-services.ts';
import { touchHanded } from '../paths/named-secrets.ts';
import { absolutePath, locate } from '../paths/paths.ts';
import { wasReplaced, writtenAt } from '../paths/written.ts';
import {
  type Invocation,
  type ProgramRules,
  REPOSITORY_CODE,
  type Rule,
  type EvaluationContext,
  WRITES_UNKNOWN,
} from '../program.ts';
import { readOptions, tableOf } from '../options.ts';
import { raiseDownloadedCode } from '../report/blocked-code.ts';
import { asGetter } from '../report/report.ts';
import { judgePackageOptions } from '../programs/builds/package-settings.ts';
import { judgeInnerCommand } from '../programs/shells/inner-command.ts';
import { programNamed } from '../programs/table.ts';
import { runByInterpreter } from './shebang.ts';
import { forgetAll } from '../state.ts';
import { literal, show, textOf, type Word } from '../word.ts';

/** Folders whose programs are known by name. */
const SYSTEM_FOLDERS = /^\/(?:usr\/(?:local\/)?)?s?bin\/([^/]+)$|^\/opt\/homebrew\/bin\/([^/]+)$/;

/** Judges a command from its expanded words. */
export function runWords(words: readonly Word[], context: EvaluationContext): void {
  const [name, ...rest] = words;
  if (name === undefined) return;
  if (name.kind === 'literal') return runNamed(name.text, name, { rest, context });
  if (name.kind === 'choice') {
    for (const text of name.texts) runNamed(text, name, { rest, context });
    return;
  }
  context.report.raise('dangerous', 'dynamic-program', {
    text: "runs a program that can't be determined",
    span: name.span,
  });
  context.report.effect(WRITES_UNKNOWN);
  if (name.origin.network) raiseDownloadedCode(context.report, name.span);
  const guess = name.kind === 'dynamic' ? name.guess?.trim() : undefined;
  if (guess === undefined || guess === '') return;
  const guessed = guess.split(/\s+/).map((text) => literal(text, name.span));
  runWords([...guessed, ...rest], context);
}

function runNamed(
  text: string,
  name: Word,
  { rest, context }: Readonly<{ rest: readonly Word[]; context: EvaluationContext }>,
): void {
  const { report, state } = context;
  const program = text.includes('/') ? systemProgram(text, context) : text;
  if (program === undefined) return runScriptFile(text, name, { rest, context });
  const alias = state.aliases?.get(text);
  if (alias !== undefined) runAlias(alias, name, { rest, context });
  const known = programNamed(program);
  holdPorts(program, rest, context);
  if (state.functions.has(program)) {
    touchHanded(rest, context);
    forgetAll(state);
    if (known === undefined) return;
  }
  const span = { start: name.span.start, end: rest.at(-1)?.span.end ?? name.span.end };
  if (known !== undefined)
    return runProgram(program, known, {
      words: rest,
      span: Math.min(span.start, span.end) === span.start ? span : name.span,
      outer: context,
    });
  raiseUnknown(text, name, context);
  report.effect(WRITES_UNKNOWN);
  judgeInnerCommand(rest, context);
}

function raiseUnknown(text: string, name: Word, { report }: EvaluationContext): void {
  report.raise('warning', 'unknown-command', {
    text: `runs an unknown program: ${show(name)}`,
    span: name.span,
  });
  report.effect({ kind: 'process', program: text.slice(0, 200) });
}

/** `alias g=git; g push -f`: the first word is replaced, and never by itself again. */
function runAlias(
  alias: string,
  name: Word,
  { rest, context }: Readonly<{ rest: readonly Word[]; context: EvaluationContext }>,
): void {
  const words = alias.split(/\s+/).filter((word) => word !== '');
  const inner = { ...context, state: { ...context.state, aliases: new Map<string, string>() } };
  context.walk.runWords([...words.map((word) => literal(word, name.span)), ...rest], inner);
}

function systemProgram(text: string, context: EvaluationContext): string | undefined {
  if (!text.startsWith('/') && context.state.cwd === undefined) return undefined;
  const match = SYSTEM_FOLDERS.exec(absolutePath(text, context.state.cwd ?? '/'));
  return match?.[1] ?? match?.[2];
}

/**
 * `./run.sh`: a program by its path is unknown, unless it is in the workspace and its name or its first line identifies
 * it.
 */
function runScriptFile(
  text: string,
  name: Word,
  { rest, context }: Readonly<{ rest: readonly Word[]; context: EvaluationContext }>,
): void {
  const { report, state } = context;
  const called = text.replace(/^.*\//, '');
  const known = programNamed(called);
  report.effect(WRITES_UNKNOWN);
  if (known !== undefined && locate(text, state.cwd, context.lineContext)?.place === 'inside') {
    const reported = isInstalledHere(text, context) ? asGetter(report) : report;
    reported.raise('warning', 'runs-script', {
      text: `runs a program from the workspace: ${show(name)}`,
      span: name.span,
    });
    report.effect(REPOSITORY_CODE);
  } else if (!runByInterpreter(text, name, { rest, context })) raiseUnknown(text, name, context);
  touchHanded(rest, context);
  // `./gradlew publish`, `bin/rails db:drop`: probably the program of its name, and never milder than a warning.
  if (known !== undefined)
    runProgram(called, known, { words: rest, span: name.span, outer: { ...context, state: { ...state } } });
  if (state.cwd === undefined) return;
  const written = writtenAt(absolutePath(text, state.cwd), context);
  if (written !== undefined)
    report.raise('dangerous', 'runs-what-it-wrote', {
      text: `runs a file that this line wrote: ${show(name)}`,
      span: name.span,
    });
}

/** Folders where package managers put programs, and the build wrappers of projects. */
const SEARCH_FOLDERS = /^(?:\.?venv\/bin|node_modules\/\.bin)\/[^/]+$|^(?:gradlew|mvnw)$/;

/**
 * Whether a path leads to a program of the project's set-up: directly in the root of the workspace or in the line's
 * directory, and unchanged by the line. Elsewhere any file may have such a name.
 */
function isInstalledHere(text: string, context: EvaluationContext): boolean {
  const { state, lineContext } = context;
  if (state.cwd === undefined) return false;
  const path = absolutePath(text, state.cwd);
  const isPlaced = [lineContext.workspace, state.cwd].some(
    (folder) => path.startsWith(`${folder}/`) && SEARCH_FOLDERS.test(path.slice(folder.length + 1)),
  );
  return isPlaced && path.startsWith(`${lineContext.workspace}/`) && !wasReplaced(path, context);
}

/** `source .venv/bin/activate`: later programs are those of the same folder. */
function setsUpPython(
  program: string,
  [file, ...rest]: readonly Word[],
  context: EvaluationContext,
): boolean {
  if ((program !== 'source' && program !== '.') || rest.length > 0) return false;
  const path = textOf(file) ?? '';
  return /(?:^|\/)\.?venv\/bin\/activate$/.test(path) && isInstalledHere(path, context);
}

/** Whether a program gets packages or builds with them, and so runs third-party code with the network. */
function getsOnline(program: string): boolean {
  return getsPackages(program) || buildsOnline(program);
}

function runProgram(
  name: string,
  program: ProgramRules,
  {
    words,
    span,
    outer,
  }: Readonly<{ words: readonly Word[]; span: Invocation['span']; outer: EvaluationContext }>,
): void {
  // `pip3.12` is found as `pip`.
  const called = program.names.includes(name) ? name : name.replace(/-?(?<![\d.])[\d.]+$/, '');
  const reported =
    getsOnline(called) || setsUpPython(called, words, outer)
      ? { ...outer, report: asGetter(outer.report) }
      : outer;
  const there = inProjectFolder(called, words, reported);
  const context = reachingService(called, words, fetchingFrom(sourceOf(called, words), there));
  for (const effect of fetchesOfBuild(called, words)) context.report.effect(effect);
  if (getsPackages(called)) judgePackageOptions({ program: called, words, context, span });
  if (program.verbs === undefined) return applyRule({ program: name, rule: program, words, span, context });
  // `cargo +nightly test`: a toolchain comes before everything else.
  const toolchain = textOf(words[0])?.startsWith('+') === true;
  const given = toolchain ? words.slice(1) : words;
  if (toolchain && textOf(words[0])?.includes('/') === true)
    context.report.raise('warning', 'unknown-command', {
      text: 'runs a toolchain from another folder',
      span,
    });
  const { operands } = readOptions(
    given,
    program.style === 'long' ? 'long' : 'posix',
    tableOf(program.options ?? ''),
  );
  const verb = firstOperand(operands, program);
  const before = verb === undefined ? given : given.slice(0, given.indexOf(verb));
  const inner: EvaluationContext = { ...context, state: { ...context.state } };
  applyRule({ program: name, rule: program, words: before, span, context: inner });
  if (verb === undefined) {
    if (
      program.noVerb !== undefined &&
      before.every((word) => !/^--?(?:version|help|[vVh])$/.test(textOf(word) ?? ''))
    ) {
      applyRule({ program: name, rule: program.noVerb, words: [], span, context: inner });
    }
    return;
  }
  const after = given.slice(given.indexOf(verb) + 1);
  const text = textOf(verb);
  if (text === undefined) {
    context.report.raise('dangerous', 'dynamic-program', {
      text: `runs ${name} with a subcommand that can't be determined`,
      span: verb.span,
    });
    context.report.effect(WRITES_UNKNOWN);
    return;
  }
  const rule = verbNamed(program, text) ?? program.otherVerb ?? unknownVerb(name);
  applyRule({ program: `${name} ${text.slice(0, 60)}`, rule, words: after, span, context: inner });
}

/** The rule reports unknown options before the verb; the first operand is the verb all the same. */
function firstOperand(operands: readonly Word[], program: ProgramRules): Word | undefined {
  return program.style === 'long'
    ? operands.find((word) => !(textOf(word) ?? '').startsWith('-'))
    : operands[0];
}

function unknownVerb(program: string): Rule {
  return {
    level: 'warning',
    code: 'unknown-command',
    text: `runs an unknown subcommand of ${program}`,
    effects: [WRITES_UNKNOWN],
    unknownOptions: 'any',
  };
}

const verbTables = new WeakMap<ProgramRules, ReadonlyMap<string, Rule>>();

function verbNamed(program: ProgramRules, verb: string): Rule | undefined {
  let table = verbTables.get(program);
  if (table === undefined) {
    table = new Map(
      Object.entries({ ...program.verbs }).flatMap(([names, rule]) =>
        names.split(' ').map((name) => [name, rule] as const),
      ),
    );
    verbTables.set(program, table);
  }
  return table.get(verb);
}
