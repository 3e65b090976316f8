import type { Span } from '@signalbox/core';
import { STEPS } from '../budget.ts';
import { isSecret, mayMatchSecret, secretIn } from './path-words.ts';
import { absolutePath } from './paths.ts';
import type { EvaluationContext } from '../program.ts';
import { touchRead } from './touch.ts';
import { mixOrigins, type Origin, PLAIN, textOf, textsOf, type Word } from '../word.ts';
import { writtenAt } from './written.ts';

/** Whether a command names a secret, which a later one of its pipeline may open: `git ls-files .env | xargs cat`. */
export function namesSecret(words: readonly Word[]): boolean {
  const pattern = patternOfSearch(words);
  return words.some((word) => word !== pattern && mayNameSecret(word));
}

/** The origin of a word, and whether it names a secret itself. */
export function originOf(word: Word): Origin {
  return mixOrigins(word.origin, { ...PLAIN, namesSecret: mayNameSecret(word) });
}

/** For programs that read file names from their input. */
export function judgeNamesFromInput(context: EvaluationContext, span: Span): void {
  if (context.state.stdin.origin.namesSecret) raiseNamed(context, span);
}

/** A file, or standard input, with a list of file names, which are opened. */
export function touchNames(context: EvaluationContext, word: Word): void {
  const text = textOf(word);
  if (text === '-' || text === '/dev/stdin') return judgeNamesFromInput(context, word.span);
  touchRead(context, word);
  if (text === undefined || context.state.cwd === undefined) return;
  const origin = writtenAt(absolutePath(text, context.state.cwd), context);
  if (origin?.namesSecret === true) raiseNamed(context, word.span);
}

/**
 * For a program that is not analysed: a secret among its arguments counts as read, also as `--file=.env` or `src=.env`.
 */
export function touchHanded(words: readonly Word[], context: EvaluationContext): void {
  for (const word of words) {
    const isNamed = word.origin.namesSecret || (word.kind === 'glob' && mayMatchSecret(word.pattern));
    if (isNamed) touchRead(context, word);
    const text = textOf(word) ?? '';
    const parts = /^[\w./~+=:,@-]+$/.test(text) ? text.split(/[=:,@]/) : [];
    context.walk.spend(parts.length * STEPS.item);
    for (const part of parts)
      if (/[./]/.test(part) && isSecret(part)) touchRead(context, { ...word, kind: 'literal', text: part });
  }
}

function raiseNamed({ report }: EvaluationContext, span: Span): void {
  report.raise('dangerous', 'reads-secret', { text: 'passes the names of secret files to a program', span });
}

/** Whether a line of a text names a secret, if it is a list of names. */
export function listsSecret(text: string): boolean {
  return text.split(/[\n\0]/).some((line) => secretIn(nameIn(line.trim())) !== undefined);
}

function mayNameSecret(word: Word): boolean {
  // The placeholder home replaces `~`.
  if (word.kind === 'glob') return mayMatchSecret(word.pattern.replace(/^\/~(?=\/)/, '~'));
  return (textsOf(word) ?? []).some((text) => secretIn(nameIn(text)) !== undefined);
}

/**
 * `--glob=.env`, `HEAD:.env`, `'^\.env$'`, `'*.env*'`, `'.env\n'`: the name in it; other options (`--exclude=.env`)
 * name none.
 */
function nameIn(text: string): string {
  const value = text.replace(/^(?:--(?:i?glob|include)=|-g)/, '');
  return value.startsWith('-')
    ? ''
    : value.slice(value.lastIndexOf(':') + 1).replaceAll(/\\[n0]$|[\\^$]|(?<!\*)\*+$/g, '');
}

/** `grep -rl credentials src`, `grep -v .env`: the search pattern is not a name in the output. */
function patternOfSearch(words: readonly Word[]): Word | undefined {
  const texts = words.map((word) => textOf(word) ?? '');
  const at = texts.findIndex((text) => /^(?:(?:[efz]|rip)?grep|rg|ag)$/.test(text));
  if (at < 0 || !texts.some((text) => /^-[a-zA-Z]*[lLv]|^--(?:files-with|invert)/.test(text)))
    return undefined;
  return words.find(
    (_word, place) =>
      place > at &&
      !String(texts[place]).startsWith('-') &&
      !/^(?:-g|--i?glob)$/.test(String(texts[place - 1])),
  );
}
