import { gap, lineCells } from './cells.ts';
import type { Line, Piece } from './line.ts';

/**
 * The line in rows of at most that many cells, broken at blanks, each piece in its own role; later rows are indented by
 * two more cells than the first. A word longer than a row stays whole.
 */
export function wrapLine(parts: Line, width: number): readonly Line[] {
  if (lineCells(parts) <= width) return [parts];
  const indent = /^ */.exec(parts.map(({ text }) => text).join(''))?.[0].length ?? 0;
  const rows: Line[] = [];
  let row: Line = gap(indent);
  let blanks: Line = [];
  for (const { blank, word } of wordsOf(parts)) {
    const isFirst = row.every(({ text }) => text.trim() === '');
    if (!isFirst && lineCells([...row, ...blanks, ...word]) > width) {
      rows.push(row);
      row = [...gap(indent + 2), ...word];
    } else row = [...row, ...(isFirst ? [] : blanks), ...word];
    blanks = blank;
  }
  return [...rows, row];
}

/** Words of one or more pieces, each with the blanks after it. */
function wordsOf(parts: Line): readonly Readonly<{ word: Line; blank: Line }>[] {
  const words: { word: Piece[]; blank: Piece[] }[] = [];
  for (const part of parts) {
    for (const text of part.text.split(/( +)/)) {
      if (text === '') continue;
      const last = words.at(-1);
      const piece = { ...part, text };
      if (text.startsWith(' ')) last?.blank.push(piece);
      else if (last !== undefined && last.blank.length === 0) last.word.push(piece);
      else words.push({ word: [piece], blank: [] });
    }
  }
  return words;
}
