import { fit, isColour, outputParts } from './cells.ts';
import type { Line, Piece, TextRole } from './line.ts';
import { visibleParts } from '@signalbox/core/visible-text';

/** How lines become bytes of one stream. */
export type Rendering = Readonly<{
  colour: boolean;
  ascii: boolean;
  /** Cells of a row; longer rows are cut. `Infinity`: never. */
  width: number;
}>;

/** The text of a line, without a newline. The only control sequences in it are colours. */
export function renderLine(parts: Line, rendering: Rendering): string {
  const written = rendering.ascii ? parts.map((part) => ({ ...part, text: toAscii(part.text) })) : parts;
  return fit(written, rendering.width)
    .map((part) => renderPiece(part, rendering))
    .join('')
    .trimEnd();
}

/** SGR parameters of the theme's 16 colours. */
const SGR: Readonly<Record<TextRole, string>> = {
  text: '',
  bold: '1',
  muted: '2',
  ok: '32',
  warn: '33',
  danger: '31',
  running: '36',
  accent: '36',
  asks: '33',
  lane1: '36',
  lane2: '35',
  lane3: '34',
  lane4: '96',
  lane5: '95',
  lane6: '94',
  safe: '32',
  warning: '33',
  dangerous: '31',
  blocked: '31;7',
  badge: '33;7',
  'badge-danger': '31;7',
};

const HIDDEN = '31;7';

type Drawing = Pick<Rendering, 'colour' | 'ascii'>;

function renderPiece(part: Piece, drawing: Drawing): string {
  if (part.printed === true) return renderPrinted(part, drawing);
  const { colour, ascii } = drawing;
  const sgr = [SGR[part.role], part.underlined === true ? '4' : ''].filter(Boolean).join(';');
  return visibleParts(part.text)
    .map(({ text, hidden }) => paint(ascii ? toAscii(text) : text, hidden ? HIDDEN : sgr, { colour }))
    .join('');
}

function renderPrinted({ text, role }: Piece, drawing: Drawing): string {
  const { colour } = drawing;
  const parts = outputParts(text);
  const body = parts.map((part, i) => {
    if (isColour(i)) return colour ? part : '';
    return renderPiece({ text: part, role }, drawing);
  });
  return body.join('') + (colour && parts.length > 1 ? '\x1b[0m' : '');
}

function paint(text: string, sgr: string, { colour }: Readonly<{ colour: boolean }>): string {
  return colour && sgr !== '' && text !== '' ? `\x1b[${sgr}m${text}\x1b[0m` : text;
}

/**
 * Every symbol on our own screens, with an ASCII form of the same width so that no layout changes; keys are spelled
 * out.
 */
const ASCII: Readonly<Record<string, string>> = {
  '⚡': '> ',
  '⏳': '~ ',
  '✓': '+',
  '✗': 'x',
  '≠': '#',
  '⊘': '-',
  '○': 'o',
  '─': '-',
  '│': '|',
  '└': '`',
  '┌': '+',
  '▸': '*',
  '…': '~',
  '⋯': '~',
  '·': '-',
  '×': 'x',
  '–': '-',
  '−': '-',
  '→': '>',
  '←': '<',
  '↑': '^',
  '↓': 'v',
  '↵': 'Enter',
  '▶': '>',
  '❯': '>',
  '»': '>',
  ℹ: 'i',
  '▁': '_',
  '▂': '.',
  '▃': '.',
  '▄': ':',
  '▅': ':',
  '▆': '|',
  '▇': '|',
  '█': '_',
  '“': '"',
  '”': '"',
  '’': "'",
};

function toAscii(text: string): string {
  return text.replaceAll(
    /[^\0-\x7f]/gu,
    (character) =>
      ASCII[character] ??
      `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
  );
}
