import type { Context } from '../../runtime/contract/context.ts';
import { line, printed } from '../../terminal/line.ts';

/** Prints a command's output while it runs: raw into files and pipes, sanitised for a terminal. */
export type OutputPrinter = Readonly<{
  print(stream: 'stdout' | 'stderr', text: string): void;
  /** Prints the rest of an unterminated row. */
  close(): void;
}>;

/** @param toStderr All of it goes to standard error, row by row. */
export function createOutputPrinter(context: Context, toStderr = false): OutputPrinter {
  const { flags, terminal } = context;
  const rest = { stdout: '', stderr: '' };
  const { print, say, tell } = context;
  const rows = toStderr ? { stdout: say, stderr: say } : { stdout: print, stderr: tell };

  return {
    print(stream, text) {
      if (flags.json) return;
      if (stream === 'stdout' && !toStderr && !terminal.stdout.tty) {
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
