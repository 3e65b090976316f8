/** One of the two output streams. */
export type StreamFacts = Readonly<{
  tty: boolean;
  colour: boolean;
  /** Cells of a row; `Infinity` if it is not a terminal. */
  width: number;
}>;

/** Capabilities of this terminal, detected once. */
export type Terminal = Readonly<{
  stdin: Readonly<{ tty: boolean; rawMode: boolean }>;
  stdout: StreamFacts;
  stderr: StreamFacts;
  /** Rows of the screen; 24 if unknown. */
  rows: number;
  /** Print only ASCII. */
  ascii: boolean;
  /** A live region may be drawn and redrawn. */
  live: boolean;
}>;

export type TerminalSource = Readonly<{
  env: Readonly<Record<string, string | undefined>>;
  stdin: Readonly<{ isTTY?: boolean; setRawMode?: unknown }>;
  stdout: Readonly<{ isTTY?: boolean; columns?: number; rows?: number }>;
  stderr: Readonly<{ isTTY?: boolean; columns?: number; rows?: number }>;
}>;

export type TerminalFlags = Readonly<{ color: 'auto' | 'always' | 'never'; ascii: boolean }>;

/**
 * Detects the capabilities from the process. Colour is decided for each stream separately: `--color`, then `NO_COLOR`
 * (no-color.org), then `FORCE_COLOR` (force-color.org), then whether it is a terminal.
 */
export function terminalFacts(source: TerminalSource, flags: TerminalFlags): Terminal {
  const { env } = source;
  const facts = (stream: TerminalSource['stdout']): StreamFacts => ({
    tty: stream.isTTY === true,
    colour: hasColour(env, stream.isTTY === true, { flag: flags.color }),
    width: stream.isTTY === true ? Math.max(20, stream.columns ?? 80) : Infinity,
  });
  const plain = isSet(env['SIGNALBOX_PLAIN']) || env['TERM'] === 'dumb';
  return {
    // Opening standard input makes Node.js load its file streams, so it is opened only on request.
    get stdin() {
      const tty = source.stdin.isTTY === true;
      return { tty, rawMode: tty && !plain && typeof source.stdin.setRawMode === 'function' };
    },
    stdout: facts(source.stdout),
    stderr: facts(source.stderr),
    rows: source.stderr.rows ?? source.stdout.rows ?? 24,
    ascii: flags.ascii || isSet(env['SIGNALBOX_ASCII']) || !speaksUtf8(env),
    live: source.stderr.isTTY === true && !plain && !isSet(env['CI']),
  };
}

function hasColour(
  env: TerminalSource['env'],
  tty: boolean,
  { flag }: Readonly<{ flag: TerminalFlags['color'] }>,
): boolean {
  if (flag !== 'auto') return flag === 'always';
  if (isSet(env['NO_COLOR'])) return false;
  if (isSet(env['FORCE_COLOR'])) return env['FORCE_COLOR'] !== '0' && env['FORCE_COLOR'] !== 'false';
  return tty && env['TERM'] !== 'dumb';
}

/**
 * The first of the three that is set decides (POSIX.1-2017, XBD 8.2). If none is, as in most containers, the terminal
 * is assumed to speak UTF-8, unless it is the console of the Linux kernel.
 */
function speaksUtf8(env: TerminalSource['env']): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'];
  if (env['TERM'] === 'linux') return false;
  return locale === undefined || locale === '' || /utf-?8/i.test(locale);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
