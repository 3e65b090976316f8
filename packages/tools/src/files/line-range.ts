/** Upper bound on the text of one read, in UTF-16 units: about 64,000 tokens. */
const MAX_LENGTH = 256 * 1024;

export type LineRange = { readonly firstLine?: number | undefined; readonly lastLine?: number | undefined };

export type Cut = {
  /** The lines with their line endings; the whole text when nothing was cut. */
  readonly text: string;
  /** The first and last line returned, from 1; `lastLine` is `firstLine - 1` when the range is empty. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly totalLines: number;
  /** Whether a line was cut because it alone is over the length limit. */
  readonly brokeLine: boolean;
};

/** Returns the lines of an inclusive range, up to the length limit. */
export function cutLines(
  text: string,
  range: LineRange,
  { maxLength = MAX_LENGTH }: Readonly<{ maxLength?: number }> = {},
): Cut {
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

/** Splits a text into lines with their endings; joined they are the text. */
export function splitLines(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function sliceWellFormed(text: string, length: number): string {
  const cut = text.slice(0, length);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
