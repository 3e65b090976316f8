/** Longest text of one reading, in UTF-16 units: about 64,000 tokens of a model's window. */
const MAX_LENGTH = 256 * 1024;

export type LineRange = { readonly firstLine?: number | undefined; readonly lastLine?: number | undefined };

export type Cut = {
  /** The lines with their line endings; all of them when nothing was cut. */
  readonly text: string;
  /** Numbers of the first and last line given, from 1; `lastLine` is `firstLine - 1` when none is in the range. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly totalLines: number;
  /** Whether the end of a line is missing because the line alone is longer than one reading may be. */
  readonly brokeLine: boolean;
};

/** The lines of a range, both ends included, as many as one reading may hold. */
export function cutLines(text: string, range: LineRange, maxLength = MAX_LENGTH): Cut {
  const lines = splitLines(text);
  const first = Math.max(1, range.firstLine ?? 1);
  const last = Math.min(lines.length, range.lastLine ?? lines.length);
  const wanted = lines.slice(first - 1, last);

  let length = 0;
  let count = 0;
  for (const line of wanted) {
    if (length + line.length > maxLength) break;
    length += line.length;
    count += 1;
  }
  const [firstWanted = ''] = wanted;
  const brokeLine = count === 0 && wanted.length > 0;
  return {
    text: brokeLine ? sliceWellFormed(firstWanted, maxLength) : wanted.slice(0, count).join(''),
    firstLine: first,
    lastLine: first - 1 + (brokeLine ? 1 : count),
    totalLines: lines.length,
    brokeLine,
  };
}

/** Lines with their endings: joined they are the text again. */
export function splitLines(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function sliceWellFormed(text: string, length: number): string {
  const cut = text.slice(0, length);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
