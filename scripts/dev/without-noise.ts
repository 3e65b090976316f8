import { Transform, type Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';

/** Lines that only report success, and empty ones. */
const NOISE =
  /Starting (?:incremental )?compilation|File change detected|"event":"server\.started"|^\[\w+ *\]\s*$|^--> Sending/;
const EXIT = /exited with code \w+$/;

/**
 * Passes complete lines on, without the noise.
 *
 * @param isEnding Whether the children were told to end, so that each exit is expected.
 */
export function withoutNoise(to: Writable, isEnding: () => boolean): Writable {
  let rest = '';
  const lines = new Transform({
    transform(chunk: Buffer, _, done) {
      const whole = (rest + chunk.toString()).split('\n');
      rest = whole.pop() ?? '';
      const shown = whole.filter((line) => !isNoise(stripVTControlCharacters(line).trimEnd()));
      done(null, shown.map((line) => `${line}\n`).join(''));
    },
  });
  lines.pipe(to, { end: false });
  return lines;

  function isNoise(line: string): boolean {
    return NOISE.test(line) || (isEnding() && EXIT.test(line));
  }
}
