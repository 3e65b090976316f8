import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { chainOf } from './audit-chain.ts';
import { openChain, rawLines } from './raw-lines.ts';

/** In JSON text, a quote inside a string has a backslash before it: no argument of a call matches this. */
const TOKEN = /,"fencing_token":(\d{1,15}),"latency_ms":/g;
const END_BYTES = 256 * 1024;

/**
 * The highest fencing token in these logs, 0 if there is none. Tokens grow, so the ends of the logs are enough;
 * `everywhere` reads them completely.
 */
export async function highestFencingToken(logs: readonly string[], everywhere: boolean): Promise<number> {
  let highest = 0;
  for (const log of logs) {
    // The newest file may have just begun.
    const tokens = chainOf(log)
      .slice(-2)
      .flatMap((file) => tokensIn(endOf(file)));
    highest = Math.max(highest, ...tokens);
    if (!everywhere && tokens.length > 0) continue;
    await using chain = await openChain(log);
    for (const { opened } of chain.files)
      for await (const { bytes } of rawLines(opened)) highest = Math.max(highest, ...tokensIn(bytes));
  }
  return highest;
}

function tokensIn(bytes: Buffer): readonly number[] {
  return [...bytes.toString('latin1').matchAll(TOKEN)].map(([, token]) => Number(token));
}

function endOf(file: string): Buffer {
  const fd = openSync(file, 'r');
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, END_BYTES));
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, size - bytes.length));
  } finally {
    closeSync(fd);
  }
}
