import { gap } from '../../terminal/cells.ts';
import { as, type Line, line, type TextRole } from '../../terminal/line.ts';

/** Wider indentation is counted: it is implausible, and may hide what follows. */
const WIDEST_INDENTATION = 40;

/** The parts of a unified diff's row: its sign, its indentation in blanks, the rest, and its colour. */
export function partsOfDiffRow(row: string) {
  const sign = row.slice(0, 1);
  const blanks = new RegExp(`^ {0,${WIDEST_INDENTATION}}`).exec(row.slice(1))?.[0].length ?? 0;
  return { sign, blanks, text: row.slice(1 + blanks), role: roleOf(sign) };
}

/** As one line. */
export function diffRow(row: string): Line {
  const { sign, blanks, text, role } = partsOfDiffRow(row);
  return line(as(role, sign), gap(blanks), as(role, text));
}

function roleOf(sign: string): TextRole {
  if (sign === '+') return 'ok';
  if (sign === '-') return 'danger';
  return sign === '@' ? 'muted' : 'text';
}
