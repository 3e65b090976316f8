import { stripVTControlCharacters } from 'node:util';
import type { CheckFinding } from '@signalbox/core';

/** More are not listed, only counted. */
export const MAX_FINDINGS = 20;
/** Characters of a name and of a message. */
const MAX_TEXT = 300;
const MAX_PATH = 1000;
/** Of a message, in which its first line and a place are looked for. */
const MAX_READ = 8000;

export type RawFinding = {
  readonly name: string;
  readonly message: string;
  readonly path?: string | null | undefined;
  readonly line?: number | null | undefined;
};

export type Findings = {
  add(raw: RawFinding): void;
  readonly first: readonly CheckFinding[];
  /** Whether another one would only be counted. */
  isFull(): boolean;
};

/** Keeps the first findings, each cut to a few hundred characters. */
export function createFindings(): Findings {
  const first: CheckFinding[] = [];
  return {
    first,
    isFull: () => first.length >= MAX_FINDINGS,
    add(raw) {
      if (first.length < MAX_FINDINGS) first.push(toFinding(raw));
    },
  };
}

function toFinding({ name, message, path, line }: RawFinding): CheckFinding {
  const file = path?.slice(0, MAX_PATH) ?? '';
  const isLine = typeof line === 'number' && Number.isSafeInteger(line) && line > 0;
  return {
    name: firstLine(name),
    message: firstLine(message),
    ...(file === '' ? {} : { path: file, ...(isLine ? { line } : {}) }),
  };
}

/** A count that a report may hold, of any sum of numbers in it. */
export function toCount(sum: number): number {
  return Math.min(sum, Number.MAX_SAFE_INTEGER);
}

/** The first line that has text, without colours. */
function firstLine(text: string): string {
  const lines = plainText(text).split(/[\r\n\u2028\u2029]/);
  const line = (lines.find((one) => /\S/.test(one)) ?? '').trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT).toWellFormed()}…` : line;
}

/** The beginning of a message, without colours. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text.slice(0, MAX_READ));
}

/** `src/a.test.ts:12`, with a column or without. */
const PLACE =
  /(?:^|[\s('"])(?:file:\/\/)?((?:\.{0,2}\/)?[\w@+-][\w@+./\\-]{0,300}\.[A-Za-z]\w{0,7}):(\d{1,7})\b/;

/** The first place in a file that a message names: of that file, if it is known. */
export function placeIn(message: string, file?: string | null): Pick<RawFinding, 'path' | 'line'> {
  const text = plainText(message);
  if (file != null && file !== '') {
    // A stack may name the file in another way: relative, as a URL.
    const name = `${file.slice(file.lastIndexOf('/') + 1)}:`;
    const at = text.indexOf(name);
    const after = at < 0 ? '' : text.slice(at + name.length, at + name.length + 8);
    const line = /^\d{1,7}/.exec(after)?.[0];
    return { path: file, line: line === undefined ? undefined : Number(line) };
  }
  const [, path, line] = PLACE.exec(text) ?? [];
  return path === undefined ? {} : { path, line: Number(line) };
}
