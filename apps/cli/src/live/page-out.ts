import { terminalFacts, type TerminalSource } from '../terminal/terminal.ts';
import type { GlobalFlags } from '../runtime/contract/global-flags.ts';

type Screen = TerminalSource &
  Readonly<{
    stdout: TerminalSource['stdout'] & Readonly<{ write(text: string): unknown }>;
    cwd(): string;
  }>;

type Paged = Readonly<{
  text: string;
  /** Whether the text takes at least this many rows of this many cells. */
  fills: (rows: number, width: number) => boolean;
  /** Leaves Ctrl-C to the pager until the returned function is called. */
  ignoreInterrupts: () => () => void;
}>;

/**
 * Writes a text to standard output, through a pager if it is longer than the screen of a terminal. Without a pager, or
 * if it fails, the text is written directly.
 */
export async function pageOut(
  { text, fills, ignoreInterrupts }: Paged,
  host: Screen,
  flags: Pick<GlobalFlags, 'color' | 'ascii' | 'input'>,
): Promise<void> {
  const terminal = terminalFacts(host, flags);
  // Without prompts there is no one to wait for.
  const mayPage = terminal.live && terminal.stdout.tty && flags.input;
  const isPaged = mayPage && fills(terminal.rows, terminal.stdout.width);
  if (isPaged && (await isShownInPager(text, host, ignoreInterrupts))) return;
  host.stdout.write(text);
}

/** The user's pager line, for a shell, as git interprets it; empty or `cat`: no pager. */
function pagerOf(env: Screen['env']): readonly [string, ...string[]] | null {
  const line = env['SIGNALBOX_PAGER'] ?? env['PAGER'];
  if (line === undefined) return ['less', '-FRX'];
  return ['', 'cat'].includes(line.trim()) ? null : ['/bin/sh', '-c', line];
}

async function isShownInPager(
  text: string,
  { env, cwd }: Pick<Screen, 'env' | 'cwd'>,
  ignoreInterrupts: Paged['ignoreInterrupts'],
): Promise<boolean> {
  const argv = pagerOf(env);
  if (argv === null) return false;
  const { feedProgram } = await import('@signalbox/sandbox/programs');
  // Makes `less` show colours, and quit at once if the text fits.
  const given = Object.entries({ LESS: 'FRX', LV: '-c', ...env });
  const known = Object.fromEntries(
    given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const restore = ignoreInterrupts();
  try {
    return (await feedProgram(argv, { cwd: cwd(), env: known, text })) === 0;
  } finally {
    restore();
  }
}
