import { wrap } from '../terminal/cells.ts';

/** A prompt in rows of at most that many cells, broken between words; the answer is typed after the last one. */
export function questionRows(question: string, width: number): string {
  const text = question.trimEnd();
  const rows = text.split('\n').flatMap((row) => wrap(row, width));
  return `${rows.join('\n')}${question.slice(text.length)}`;
}
