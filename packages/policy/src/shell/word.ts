import type { Span } from '@signalbox/core';

/** Origin of the bytes of a word, a stream or a file, as far as it matters. */
export type Origin = Readonly<{
  network: boolean;
  decoded: boolean;
  /** A command that printed or carried them has named a secret: a command that uses them as file names opens it. */
  namesSecret: boolean;
}>;

export const PLAIN: Origin = { network: false, decoded: false, namesSecret: false };

/** Bytes from several origins have all of them. */
export function mixOrigins(...origins: readonly Origin[]): Origin {
  return {
    network: origins.some(({ network }) => network),
    decoded: origins.some(({ decoded }) => decoded),
    namesSecret: origins.some(({ namesSecret }) => namesSecret),
  };
}

/** What is known of a word before the shell has expanded it. */
export type Value =
  /** Exactly this one word. */
  | Readonly<{ kind: 'literal'; text: string }>
  /** One word, one of these. */
  | Readonly<{ kind: 'choice'; texts: readonly string[] }>
  /** An unquoted pattern: any number of names that exist and match. */
  | Readonly<{ kind: 'glob'; pattern: string }>
  /** A path somewhere below that directory, such as the one with which `find` replaces `{}`. */
  | Readonly<{ kind: 'below'; directory: string }>
  /**
   * Only its beginning is known. `splits`: it may become any number of words. `guess`: its known parts, without the
   * unknown ones; used only to raise a level. `isNumber`: the unknown parts are numbers. `isList`: written as elements,
   * `a=(x y)`, which the shell has expanded.
   */
  | Readonly<{
      kind: 'dynamic';
      beginning: string;
      splits: boolean;
      guess?: string;
      isNumber?: boolean;
      isList?: boolean;
    }>;

/** A word of a command, with its position in the line. */
export type Word = Value & Readonly<{ span: Span; origin: Origin }>;

export function literal(text: string, span: Span): Word {
  return { kind: 'literal', text, span, origin: PLAIN };
}

/** All texts the word may have, or undefined when that is not a finite set. */
export function textsOf(word: Value): readonly string[] | undefined {
  if (word.kind === 'literal') return [word.text];
  return word.kind === 'choice' ? word.texts : undefined;
}

export function textOf(word: Value | undefined): string | undefined {
  return word?.kind === 'literal' ? word.text : undefined;
}

export function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/** Unquoted, with an unknown number of words: `$x`, `a$x`, `*`. */
export function mayBeSeveral(word: Value): boolean {
  return word.kind === 'glob' || (word.kind === 'dynamic' && word.splits);
}

/** It may begin with a dash, or become several words of which one does. */
export function mayBeOption(word: Value): boolean {
  switch (word.kind) {
    case 'literal':
    case 'below':
      return false;
    case 'choice':
      return word.texts.some((text) => text.startsWith('-'));
    case 'glob':
      return beginningOf(word) === '';
    case 'dynamic':
      return word.splits || word.beginning === '';
  }
}

/** The same for arguments of a builtin, which are harmful only as a name that contains code: numbers are not. */
export function isDataOption(word: Value): boolean {
  return mayBeOption(word) && !(word.kind === 'dynamic' && word.isNumber === true);
}

/** Its certain beginning. */
export function beginningOf(word: Value): string {
  switch (word.kind) {
    case 'literal':
      return word.text;
    case 'glob':
      return word.pattern.replace(/[*?[(@+!].*$/s, '');
    case 'below':
      return word.directory;
    case 'dynamic':
      return word.beginning;
    case 'choice':
      return word.texts.some((text) => text.startsWith('-')) ? '' : word.texts.slice(0, 1).join('');
  }
}

/** The word with this suffix, such as the name of a backup. */
export function withEnding(word: Word, ending: string): Word {
  const { span, origin } = word;
  switch (word.kind) {
    case 'literal':
      return { kind: 'literal', text: word.text + ending, span, origin };
    case 'choice':
      return { kind: 'choice', texts: word.texts.map((text) => text + ending), span, origin };
    case 'glob':
      return { kind: 'glob', pattern: word.pattern + ending, span, origin };
    case 'below':
    case 'dynamic':
      return word;
  }
}

/** Its known parts; used only to raise a level. */
export function guessOf(word: Value): string {
  return word.kind === 'dynamic' ? (word.guess ?? word.beginning) : '';
}

/** For messages: short, on one line; hidden characters are left to the display. */
export function show(word: Value): string {
  const text = word.kind === 'choice' ? word.texts.join(' or ') : beginningOf(word) || '…';
  const line = text.replaceAll(/[\t ]+/g, ' ').replaceAll('\n', String.raw`\n`);
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

/** The rest of a word after its first characters, such as the value glued to an option. */
export function after(word: Word, count: number): Word {
  const { span, origin } = word;
  switch (word.kind) {
    case 'literal':
      return { kind: 'literal', text: word.text.slice(count), span, origin };
    case 'choice':
      return { kind: 'choice', texts: word.texts.map((text) => text.slice(count)), span, origin };
    case 'glob':
      return { kind: 'glob', pattern: word.pattern.slice(count), span, origin };
    case 'below':
      return { kind: 'dynamic', beginning: '', splits: false, span, origin };
    case 'dynamic':
      return { ...word, beginning: word.beginning.slice(count) };
  }
}
