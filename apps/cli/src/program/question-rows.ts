import { wrap } from '../terminal/cells.ts';

/** A question in rows of at most so many cells, broken between words; what is typed stands behind the last of them. */
export function questionRows(question: string, width: number): string {
  const text = question.trimEnd();
  const rows = text.split('\n').flatMap((row) => wrap(row, width));
  return `${rows.join('\n')}${question.slice(text.length)}`;
}
