/** The end of a command's output. */
export type OutputTail = Readonly<{
  rows: readonly OutputRow[];
  /** The last row is not terminated yet. */
  open: boolean;
  /** Number of dropped rows. */
  skipped: number;
}>;

export type OutputRow = Readonly<{ text: string; stream: 'stdout' | 'stderr' }>;

/** Rows kept per command. */
const MAX_ROWS = 200;
/** UTF-16 units kept per row. */
const LONGEST_ROW = 2000;

export const NO_OUTPUT: OutputTail = { rows: [], open: false, skipped: 0 };

export function withOutput(
  tail: OutputTail,
  stream: OutputRow['stream'],
  { text }: Readonly<{ text: string }>,
): OutputTail {
  if (text === '') return tail;
  const last = tail.rows.at(-1);
  const continues = tail.open && last?.stream === stream;
  const pieces = ((continues ? last.text : '') + text).split('\n');
  const open = pieces.at(-1) !== '';
  if (!open) pieces.pop();
  const fresh = pieces.map((piece) => ({ text: overwritten(piece), stream }));
  const rows = [...(continues ? tail.rows.slice(0, -1) : tail.rows), ...fresh];
  const over = Math.max(0, rows.length - MAX_ROWS);
  return { rows: rows.slice(over), open, skipped: tail.skipped + over };
}

/** A progress bar overwrites its own row: only the last text stays. */
function overwritten(row: string): string {
  const parts = row.split('\r').filter((part) => part !== '');
  return (parts.at(-1) ?? '').slice(0, LONGEST_ROW).toWellFormed();
}
