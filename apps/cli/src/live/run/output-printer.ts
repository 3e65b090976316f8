import type { Context } from '../../runtime/contract/context.ts';
import { line, printed } from '../../terminal/line.ts';

/** Passes on what a command prints while it runs: as it is into files and pipes, made harmless for a terminal. */
export type OutputPrinter = Readonly<{
  print(stream: 'stdout' | 'stderr', text: string): void;
  /** Prints what is left of a row that no line feed ended. */
  close(): void;
}>;

/** @param talks All of it goes to the talk, row by row. */
export function createOutputPrinter(context: Context, talks = false): OutputPrinter {
  const { flags, terminal } = context;
  const rest = { stdout: '', stderr: '' };
  const { print, say, tell } = context;
  const rows = talks ? { stdout: say, stderr: say } : { stdout: print, stderr: tell };

  return {
    print(stream, text) {
      if (flags.json) return;
      if (stream === 'stdout' && !talks && !terminal.stdout.tty) {
        context.write(text);
        return;
      }
      const pieces = `${rest[stream]}${text}`.split('\n');
      rest[stream] = pieces.pop() ?? '';
      if (pieces.length > 0) rows[stream](pieces.map((row) => line(printed(row.replace(/\r$/, '')))));
    },
    close() {
      for (const stream of ['stdout', 'stderr'] as const) {
        if (rest[stream] !== '') rows[stream]([line(printed(rest[stream]))]);
        rest[stream] = '';
      }
    },
  };
}
