import { opendirSync, readdirSync, statSync } from 'node:fs';
import { createTurns } from '../turns.ts';

/** Of a folder whose names are read at once: about 500 of them, or what no file system counts so. */
const SMALL_BYTES = 16 * 1024;
/** Names between two turns. */
const STEPS = 256;

/**
 * Names in a folder; of a large one in turns, since 100,000 of them take a tenth of a second.
 *
 * @param bytes How large it is. Default: as the folder says of itself, which one of both layers together does not.
 */
export async function namesIn(folder: string, bytes = statSync(folder).size): Promise<string[]> {
  // Much cheaper than a handle on it, of which each step is a call.
  if (bytes <= SMALL_BYTES) return readdirSync(folder);
  const names: string[] = [];
  const turn = createTurns(1);
  const open = opendirSync(folder, { bufferSize: STEPS });
  try {
    for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
      names.push(entry.name);
      if (names.length % STEPS === 0) await turn();
    }
  } finally {
    open.closeSync();
  }
  return names;
}
