import type { Effect, Span } from '@signalbox/core';
import { holdCache } from '../held-resources.ts';
import { networkOf } from '../host-of.ts';
import { hasOption, type OptionTable, type Options, readOptions, tableOf } from '../options.ts';
import { touchNames } from '../paths/named-secrets.ts';
import { locate } from '../paths/paths.ts';
import { isHarmlessDevice } from '../paths/path-words.ts';
import type { Invocation, Rule, EvaluationContext } from '../program.ts';
import { INSTALLS } from '../report/reason-codes.ts';
import { atMostDangerous } from '../report/report.ts';
import type { ArgumentRole } from '../role.ts';
import { targetsOf } from '../paths/targets.ts';
import { touchDelete, touchList, touchRead, touchWrite } from '../paths/touch.ts';
import { after, beginningOf, mayBeSeveral, show, textOf, type Word } from '../word.ts';

export type AppliedRule = Readonly<{
  program: string;
  rule: Rule;
  words: readonly Word[];
  span: Span;
  context: EvaluationContext;
}>;

/** Judges one command by its rule. */
export function applyRule({ program, rule, words, span, context }: AppliedRule): void {
  if (asksForHelp(words)) return;
  const table = tableOf(rule.options ?? '');
  const options = readOptions(words, rule.style ?? 'gnu', table);
  const { report } = context;
  const level = rule.level ?? 'safe';
  const isFree = changesOwnAlone(rule, options, context);
  if (level !== 'safe' && !isFree)
    report.raise(level, rule.code ?? 'modifies', { text: rule.text ?? `runs ${program}`, span });
  if (rule.code === INSTALLS) holdCache(program, context);
  const before = report.sources.repositoryCode;
  for (const effect of rule.effects ?? []) report.effect(placed(effect, context));
  const reported = isFree ? { ...rule, raises: [] } : rule;
  applyOptions(reported, table, { options, invocation: { program, words, options, span, context } });
  applyOperands(rule, options, context);
  rule.judge?.({ program, words, options, span, context });
  const here = locate('.', context.state.cwd, context.lineContext);
  if (report.sources.repositoryCode === before) return;
  if (here?.place === 'inside' && !words.some((word) => isForeign(word, context))) return;
  report.raise('warning', 'foreign-code', { text: `runs ${program} code from outside the workspace`, span });
}

/** `rm -rf /tmp/x` in a sandbox whose `/tmp` is private to the command. */
function changesOwnAlone({ changes }: Rule, options: Options, context: EvaluationContext): boolean {
  const changed =
    changes?.(options).map((word) => targetsOf(context, word, { scope: 'tree', means: 'itself' })) ?? [];
  return (
    changed.length > 0 &&
    changed.every(
      (targets) => targets.length > 0 && targets.every(({ isOwn, isUnsure }) => isOwn && !isUnsure),
    )
  );
}

/** `pytest ../other`, `eslint --config=/tmp/x`: tests, settings and plugins of another tree. */
function isForeign(word: Word, { state, lineContext }: EvaluationContext): boolean {
  const text = beginningOf(word).replace(/^--?[\w-]+=/, '');
  // `//app:test` is a target of bazel.
  if (!/^\/(?!\/)|(?:^|\/)\.\.(?:\/|$)/.test(text)) return false;
  const located = locate(text, state.cwd, lineContext);
  return located?.place === 'outside' && !isHarmlessDevice(located.path);
}

/** Paths of a rule are relative to the directory that the command runs in. */
function placed(effect: Effect, { state, lineContext }: EvaluationContext): Effect {
  if (effect.kind !== 'write' && effect.kind !== 'delete') return effect;
  const located = locate(effect.path, state.cwd, lineContext);
  return located === undefined ? { kind: 'write-unknown' } : { ...effect, path: located.path };
}

/** `git --version`, `cargo build --help`: prints and exits. */
function asksForHelp(words: readonly Word[]): boolean {
  return words.length === 1 && ['--version', '--help'].includes(textOf(words[0]) ?? '');
}

function applyOptions(
  rule: Rule,
  table: OptionTable,
  { options, invocation }: Readonly<{ options: Options; invocation: Invocation }>,
): void {
  const { context, program } = invocation;
  for (const raise of rule.raises ?? []) {
    if (!hasOption(options, ...raise.when.split(' '))) continue;
    context.report.raise(raise.level, raise.code, { text: raise.text, span: invocation.span });
    for (const effect of raise.effects ?? []) context.report.effect(effect);
  }
  for (const { name, value } of options.given) {
    const role = table.get(name)?.role;
    // A dash in place of a file is standard input or output.
    const isFile = value !== undefined && (role === 'names' || textOf(value) !== '-');
    if (role !== undefined && isFile) applyRole(role, value, context);
  }
  if (rule.unknownOptions !== 'any' || (rule.effects ?? []).some((effect) => MAY_CHANGE.has(effect.kind)))
    for (const word of options.unknown) touchValue(word, invocation);
  judgeMaybeOptions(options.maybeOptions, rule, invocation);
  if (rule.unknownOptions === 'any') return;
  for (const word of options.unknown) {
    context.report.raise('warning', 'unknown-option', {
      text: `passes an unknown option to ${program}: ${show(word)}`,
      span: word.span,
    });
    context.report.effect({ kind: 'write-unknown' });
  }
}

/** `node --check "$(cat f)"`: repository data that begins with a dash is an option. */
function judgeMaybeOptions(
  words: readonly Word[],
  { anyOption, level = 'safe' }: Pick<Rule, 'anyOption' | 'level'>,
  { program, context }: Pick<Invocation, 'program' | 'context'>,
): void {
  if (anyOption === 'harmless') return;
  for (const word of words) {
    // Names that match a pattern are in this directory: a program that changes them is judged by them.
    if (word.kind === 'glob' && level !== 'safe') continue;
    context.report.raise('warning', 'may-be-option', {
      text: `may pass an option to ${program}: ${show(word)}`,
      span: word.span,
    });
    context.report.effect({ kind: 'write-unknown' });
  }
}

/** For a rule that accepts any option: only when it may write at all. */
const MAY_CHANGE: ReadonlySet<string> = new Set(['write-unknown', 'repository-code', 'write']);

/** Options that probably name an output. */
const OUTPUT = /^-o$|^--?[\w-]*(?:out|log|file|dir|path|dest|target|report|save|dump|export|xml|cache)/i;

/** An absolute path, `~` or `..` as the value of an unknown option counts as written. */
function touchValue(word: Word, { words, context }: Invocation): void {
  const text = beginningOf(word);
  const glued = /^(?:--[\w.-]+=|-[a-zA-Z]=?(?=[/~.]))/.exec(text)?.[0];
  const next = words[words.indexOf(word) + 1];
  const value = glued === undefined ? (OUTPUT.test(text) ? next : undefined) : after(word, glued.length);
  if (value === undefined || !/^(?:[/~]|(?:.*\/)?\.\.(?:\/|$))/.test(beginningOf(value))) return;
  touchWrite({ ...context, report: atMostDangerous(context.report) }, value);
}

function applyOperands(rule: Rule, options: Options, context: EvaluationContext): void {
  const roles = typeof rule.operands === 'string' ? [rule.operands] : (rule.operands ?? []);
  // `uniq *`: after a word that may be several, each word may be any of the following operands.
  const several = options.operands.findIndex((word) => mayBeSeveral(word));
  for (const [at, word] of options.operands.entries()) {
    const first = Math.min(several >= 0 ? Math.min(at, several) : at, roles.length - 1);
    const all = several >= 0 && at >= several ? roles.slice(first) : roles.slice(first, first + 1);
    for (const role of new Set(all)) applyRole(role, word, context);
  }
}

function applyRole(role: ArgumentRole, word: Word, context: EvaluationContext): void {
  const { report, walk } = context;
  switch (role) {
    case 'text':
      return;
    case 'list':
      return touchList(context, word);
    case 'read':
      return touchRead(context, word);
    case 'names':
      return touchNames(context, word);
    case 'write':
      return touchWrite(context, word);
    case 'write-tree':
      return touchWrite(context, word, { scope: 'tree' });
    case 'edit':
      touchRead(context, word);
      return touchWrite(context, word);
    case 'delete':
      return touchDelete(context, word);
    case 'delete-tree':
      return touchDelete(context, word, { scope: 'tree' });
    case 'host':
      return report.effect(networkOf(word));
    case 'program':
    case 'shell': {
      report.raise('warning', 'starts-program', { text: `starts a program: ${show(word)}`, span: word.span });
      report.effect({ kind: 'write-unknown' });
      const text = textOf(word);
      if (text === undefined)
        report.raise('dangerous', 'dynamic-program', {
          text: `starts a program that can't be determined`,
          span: word.span,
        });
      else walk.runText(text, word.span, context);
    }
  }
}
