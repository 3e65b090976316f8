import type { Invocation, EvaluationContext } from '../../program.ts';
import { touchNames } from '../../paths/named-secrets.ts';
import { mayMatchSecret, secretIn } from '../../paths/path-words.ts';
import { FIND_WORDS, foundBy } from './find-tests.ts';
import { touchDelete, touchList, touchWrite } from '../../paths/touch.ts';
import { beginningOf, show, textOf, type Word } from '../../word.ts';

/** Judges what `find` runs, writes or deletes, and whether it looks for secrets. */
export function judgeFind({ words, context, span }: Invocation): void {
  const roots: Word[] = [];
  let at = 0;
  for (let word = words[at]; word !== undefined; at += 1, word = words[at]) {
    const beginning = beginningOf(word);
    if (/^-[HLP]$|^-O\d/.test(beginning) || textOf(word) === '--') continue;
    if (/^[-(!,]/.test(beginning)) break;
    if (beginning === '') mayBeAction(word, context);
    roots.push(word);
    touchList(context, word);
  }
  const first = at;
  const isRun = words.some((word) => /^-(?:exec|ok)/.test(beginningOf(word)));
  const directories = roots.length === 0 ? ['.'] : roots.map((word) => textOf(word));
  for (let word = words[at]; word !== undefined; word = words[at]) {
    // An excluded pattern is not searched: `-not -path '*/.*'`.
    const isExcluded = /^(?:!|-not)$/.test(textOf(words[at - 1]) ?? '');
    const tests = words.slice(first, at);
    const rest = words.slice(at + 1);
    at += 1 + judgeFindWord({ isRun, isExcluded, word, tests, rest, directories, context, span });
  }
}

type FindStep = Readonly<{
  /** It runs a program for its findings. */
  isRun: boolean;
  isExcluded: boolean;
  word: Word;
  /** The tests before it, which may restrict what it applies to. */
  tests: readonly Word[];
  rest: readonly Word[];
  directories: readonly (string | undefined)[];
  context: EvaluationContext;
  span: Invocation['span'];
}>;

/** Returns how many of the following words belong to this one. */
function judgeFindWord(step: FindStep): number {
  const { isRun, isExcluded, word, tests, rest, directories, context, span } = step;
  const name = textOf(word);
  if (name === '-delete') {
    context.report.raise('dangerous', 'delete-recursive', { text: 'deletes everything it finds', span });
    for (const directory of directories)
      for (const place of deletedBy(tests, directory, word)) touchDelete(context, place, { scope: 'tree' });
    return 0;
  }
  if (name !== undefined && /^-(?:exec|execdir|ok|okdir)$/.test(name)) {
    const end = rest.findIndex(
      (one, at) => textOf(one) === ';' || (textOf(one) === '+' && textOf(rest[at - 1]) === '{}'),
    );
    runFound(rest.slice(0, end < 0 ? rest.length : end), directories, context);
    return end < 0 ? rest.length : end + 1;
  }
  if (name !== undefined && /^-(?:fprint|fprint0|fls|fprintf)$/.test(name)) {
    const [file] = rest;
    if (file !== undefined) touchWrite(context, file);
    return name === '-fprintf' ? 2 : 1;
  }
  if (name !== undefined && !isExcluded && looksForSecret(name, textOf(rest[0]) ?? '')) {
    context.report.sources.namedSecrets += 1;
    const level = isRun ? 'dangerous' : 'warning';
    context.report.raise(level, 'finds-secrets', { text: 'searches for secret files', span: rest[0]?.span });
  }
  const value = rest[0];
  // `find . -name $x`: after the first word comes a test or an action.
  if (value?.kind === 'dynamic' && value.splits) mayBeAction(value, context);
  // Names that are not found are printed: for a file that contains no list, its text.
  if (name === '-files0-from' && rest[0] !== undefined) touchNames(context, rest[0]);
  const count = name === undefined ? undefined : FIND_WORDS.get(name);
  if (count === undefined) mayBeAction(word, context);
  return count ?? 0;
}

/** `find . -name '*.js' -delete` visits git's folder, and deletes only matching names there. */
function deletedBy(tests: readonly Word[], directory: string | undefined, word: Word): readonly Word[] {
  const isEverywhere = directory !== undefined && /^\.\/*$/.test(directory);
  const found = foundBy(tests);
  if (!isEverywhere || found.kind === 'all') return [placeOf(word, directory)];
  if (found.kind === 'without-git') return [placeOf(word, undefined)];
  const { span, origin } = word;
  return found.patterns.map((name) => ({ kind: 'glob', pattern: `./**/${name}`, span, origin }));
}

function looksForSecret(test: string, pattern: string): boolean {
  if (/^-i?(?:name|path|wholename)$/.test(test)) return mayMatchSecret(pattern);
  // `.*\.env`: the name at the end of the expression.
  return (
    /^-i?regex$/.test(test) && secretIn(pattern.replaceAll('\\', '').replace(/^.*[/*+]/, '')) !== undefined
  );
}

function mayBeAction(word: Word, { report }: EvaluationContext): void {
  report.raise('warning', 'unknown-option', {
    text: `uses an unknown action of find: ${show(word)}`,
    span: word.span,
  });
  report.effect({ kind: 'write-unknown' });
}

/** A command started for the findings: `{}` is replaced by paths below the roots. */
export function runFound(
  words: readonly Word[],
  directories: readonly (string | undefined)[],
  context: EvaluationContext,
): void {
  const directory = directories.length === 1 ? directories[0] : undefined;
  const filled = words.map((word, at) => {
    const text = textOf(word);
    if (text === undefined || !text.includes('{}')) return word;
    // A program that was found is an unknown one.
    if (at === 0 || text !== '{}') return { ...word, kind: 'dynamic', beginning: '', splits: false } as const;
    return placeOf(word, directory);
  });
  context.walk.runWords(filled, { ...context, state: { ...context.state } });
}

/** A path that was found below a directory, which may be unknown. */
export function placeOf({ span, origin }: Word, directory: string | undefined): Word {
  if (directory === undefined) return { kind: 'dynamic', beginning: './', splits: false, span, origin };
  return { kind: 'below', directory, span, origin };
}
