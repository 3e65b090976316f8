import type { Readable } from 'node:stream';

/** Calls `onLine` with each whole line. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('latin1');
  stream.on('error', () => undefined);
  stream.on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
}
