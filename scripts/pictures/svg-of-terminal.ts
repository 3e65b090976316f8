/**
 * Draws terminal output as SVG, for the pictures of the docs: reads coloured rows from standard input.
 *
 *   tmux new-session -d -s picture -x 120 -y 40 'signalbox watch'
 *   tmux capture-pane -e -p -t picture | node scripts/pictures/svg-of-terminal.ts 'what it shows' > docs/images/watch.svg
 */
import { readFileSync } from 'node:fs';

const CELL = 8.43;
const ROW = 19;
const LEFT = 16;
const TOP = 54;
const BACKGROUND = '#0d1117';
const TEXT = '#e6edf3';
const DIM = '#8b949e';
const COLOURS = ['#484f58', '#ff7b72', '#3fb950', '#d29922', '#58a6ff', '#bc8cff', '#39c5cf', TEXT];
/** Emoji that fill two cells. */
const WIDE = new Set(['⚡', '⏳']);

type Style = Readonly<{
  colour: string | null;
  background: string | null;
  bold: boolean;
  dim: boolean;
  inverse: boolean;
}>;
type Run = Readonly<{ at: number; cells: number; text: string; style: Style }>;

const PLAIN: Style = { colour: null, background: null, bold: false, dim: false, inverse: false };

function styleAfter(style: Style, codes: readonly number[]): Style {
  let next = style;
  for (const code of codes) {
    if (code === 0) next = PLAIN;
    else if (code === 1) next = { ...next, bold: true };
    else if (code === 2) next = { ...next, dim: true };
    else if (code === 7) next = { ...next, inverse: true };
    else if (code === 22) next = { ...next, bold: false, dim: false };
    else if (code === 27) next = { ...next, inverse: false };
    else if (code === 39) next = { ...next, colour: null };
    else if (code === 49) next = { ...next, background: null };
    else if (code === 90) next = { ...next, colour: DIM };
    else if (code >= 30 && code <= 37) next = { ...next, colour: COLOURS[code - 30] ?? null };
    else if (code >= 91 && code <= 97) next = { ...next, colour: COLOURS[code - 90] ?? null };
    else if (code >= 40 && code <= 47) next = { ...next, background: COLOURS[code - 40] ?? null };
    else if (code >= 101 && code <= 107) next = { ...next, background: COLOURS[code - 100] ?? null };
  }
  return next;
}

/** Runs of one style; a style continues after the end of a row. */
function runsOf(row: string, before: Style): Readonly<{ runs: readonly Run[]; after: Style; cells: number }> {
  const runs: Run[] = [];
  let style = before;
  let at = 0;
  // oxlint-disable-next-line no-control-regex -- what a terminal writes
  for (const part of row.split(/(\u001B\[[\d;]*m)/)) {
    // oxlint-disable-next-line no-control-regex -- what a terminal writes
    const codes = /^\u001B\[([\d;]*)m$/.exec(part)?.[1];
    if (codes !== undefined) {
      style = styleAfter(style, codes.split(';').map(Number));
      continue;
    }
    // Words with several blanks between them are placed separately: a browser collapses the blanks.
    for (const word of part.split(/( {2,})/)) {
      const letters = Array.from(word).filter((letter) => letter !== '\u{FE0F}');
      const cells = letters.reduce((sum, letter) => sum + (WIDE.has(letter) ? 2 : 1), 0);
      if (word !== '') runs.push({ at, cells, text: letters.join(''), style });
      at += cells;
    }
  }
  return { runs, after: style, cells: at };
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function drawn({ at, cells, text, style }: Run, y: number): string {
  const own = style.dim && style.colour === null ? DIM : (style.colour ?? TEXT);
  const [colour, background] = style.inverse
    ? [style.background ?? BACKGROUND, own]
    : [own, style.background];
  const x = (cell: number): string => (LEFT + cell * CELL).toFixed(1);
  const box =
    background === null
      ? ''
      : `<rect x="${x(at)}" y="${y - 14}" width="${(cells * CELL).toFixed(1)}" height="${ROW}" fill="${background}"/>\n`;
  const inner = text.trim();
  if (inner === '') return box;
  const indent = text.length - text.trimStart().length;
  const trailing = text.length - text.trimEnd().length;
  const width = ((cells - indent - trailing) * CELL).toFixed(1);
  const weight = style.bold ? ' font-weight="bold"' : '';
  return `${box}<text x="${x(at + indent)}" y="${y}" fill="${colour}"${weight} textLength="${width}" lengthAdjust="spacingAndGlyphs">${escaped(inner)}</text>\n`;
}

function svgOf(screen: string, about: string): string {
  let style = PLAIN;
  let columns = 80;
  const rows = screen.trimEnd().split('\n');
  const body = rows.map((row, index) => {
    const { runs, after, cells } = runsOf(row, style);
    style = after;
    columns = Math.max(columns, cells);
    return runs.map((run) => drawn(run, TOP + index * ROW)).join('');
  });
  const width = Math.ceil(columns * CELL + 2 * LEFT);
  const height = TOP + rows.length * ROW;
  const title = escaped(about);
  const lights = ['#ff5f56', '#ffbd2e', '#27c93f']
    .map((fill, at) => `<circle cx="${18 + 18 * at}" cy="17" r="5.5" fill="${fill}"/>\n`)
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}"><title>${title}</title><rect width="${width}" height="${height}" rx="8" fill="${BACKGROUND}"/>
${lights}<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="14" xml:space="preserve">
${body.join('')}</g></svg>
`;
}

process.stdout.write(svgOf(readFileSync(0, 'utf8'), process.argv[2] ?? 'A terminal'));
