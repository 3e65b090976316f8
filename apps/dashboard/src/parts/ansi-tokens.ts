/** The 16 colours of a terminal, as this page draws them. */
export type AnsiColour = 'black' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'white';

export type AnsiToken = Readonly<{
  text: string;
  colour: AnsiColour | null;
  bold: boolean;
  dim: boolean;
  underline: boolean;
}>;

export type AnsiStyle = Omit<AnsiToken, 'text'>;

export const PLAIN_STYLE: AnsiStyle = { colour: null, bold: false, dim: false, underline: false };

const COLOURS: readonly AnsiColour[] = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
];

/**
 * Escape sequences: CSI (`ESC [ … letter`), OSC (`ESC ] … BEL` or `ESC \`, such as links and titles), and the short
 * ones. Only CSI that ends in `m` has a meaning here; all others are dropped.
 */
const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- these are the characters to find
  /\u001B(?:\[([0-?]*)[ -/]*([@-~])|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[PX^_][^\u001B]*(?:\u001B\\)?|[ -/]*[0-~])/g;

/**
 * Splits output into tokens of one style each. Colour, bold, dim and underline pass; links, cursor moves and titles do
 * not. Text that a carriage return would overwrite is dropped, as on a terminal.
 */
export function ansiTokens(
  text: string,
  from: AnsiStyle = PLAIN_STYLE,
): Readonly<{ tokens: readonly AnsiToken[]; style: AnsiStyle }> {
  const tokens: AnsiToken[] = [];
  let style = from;
  let end = 0;
  const put = (part: string): void => {
    if (part !== '') tokens.push({ text: part, ...style });
  };
  const clean = visibleText(text);
  for (const match of clean.matchAll(SEQUENCE)) {
    put(clean.slice(end, match.index));
    end = match.index + match[0].length;
    if (match[2] === 'm') style = restyled(style, match[1] ?? '');
  }
  put(clean.slice(end));
  return { tokens, style };
}

/** Line by line: a pattern that looks for the end of each line would restart at each letter. */
function visibleText(text: string): string {
  if (!text.includes('\r')) return text;
  return text
    .split('\n')
    .map((line) => {
      let end = line.length;
      while (line[end - 1] === '\r') end -= 1;
      return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
    })
    .join('\n');
}

function restyled(style: AnsiStyle, codes: string): AnsiStyle {
  let next = style;
  const numbers = codes.split(/[;:]/).map(Number);
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    if (code === 38 || code === 48) {
      // 256 colours and true colour are not drawn; their numbers are not codes of their own.
      at += numbers[at + 1] === 5 ? 2 : 4;
    } else {
      next = styledBy(next, code);
    }
  }
  return next;
}

function styledBy(style: AnsiStyle, code: number): AnsiStyle {
  if (code === 0) return PLAIN_STYLE;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 4) return { ...style, underline: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 24) return { ...style, underline: false };
  if (code === 39) return { ...style, colour: null };
  if (code >= 30 && code <= 37) return { ...style, colour: COLOURS[code - 30] ?? null };
  if (code >= 90 && code <= 97) return { ...style, colour: COLOURS[code - 90] ?? null };
  return style;
}
