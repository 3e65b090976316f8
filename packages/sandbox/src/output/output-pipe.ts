import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, unlinkSync } from 'node:fs';
import { runTrusted } from '../programs.ts';
import { PIPES_AT_ONCE } from '../starter/starter-script.ts';
import { type OutputReader, readPipe } from './output-reader.ts';

/** A real pipe. Node.js creates sockets, which a command cannot reopen as `/dev/stderr`. */
export type OutputPipe = {
  readonly reader: OutputReader;
  /** Descriptor for the command. The reader ends only once it is closed here too. */
  readonly writeEnd: number;
  readonly closeWriteEnd: () => void;
};

/** Both ends of an unnamed pipe, for a process that reopens one through `/proc`. */
export type PipeEnds = { readonly readEnd: number; readonly writeEnd: number };

export type Pipes = {
  /** Opens a pipe; null if that fails. */
  readonly open: () => PipeEnds | null;
  /** Pipes that can be opened before a program has to be started for more. */
  readonly spare: () => number;
  /** Takes over the named pipes `BATCH-1` and so on of the folder if they exist, and removes their names. */
  readonly adopt: (batch: string) => void;
  /** Closes pipes that were not opened. */
  readonly close: () => void;
};

/** `O_PATH` of `include/uapi/asm-generic/fcntl.h`: holds a file without opening it. */
const O_PATH = 0o10000000;

/** A prefix for pipe names. Leftovers are removed at the next start. */
export function newBatch(): string {
  return `pipe-${randomUUID()}`;
}

/** Creates pipes as named ones, whose names are removed before other processes could open them. */
export function createPipes(folder: string): Pipes {
  const held: number[] = [];

  function adopt(batch: string): void {
    for (let number = 1; number <= PIPES_AT_ONCE; number++) {
      const name = `${folder}/${batch}-${number}`;
      const pipe = takeOver(name);
      // The folder may be gone. Then more are created on demand, or that fails.
      if (pipe === null) return;
      held.push(pipe);
    }
  }

  /** Creates none on failure. A pipe is held, and opened through `/proc`. */
  function make(): void {
    if (process.platform !== 'linux') return;
    const batch = newBatch();
    const names = Array.from({ length: PIPES_AT_ONCE }, (_, index) => `${folder}/${batch}-${index + 1}`);
    if (runTrusted(['mkfifo', '--mode=600', ...names], '/usr/bin:/bin') !== null) adopt(batch);
  }

  return {
    open() {
      if (held.length === 0) make();
      const holder = held.pop();
      return holder === undefined ? null : openEnds(holder);
    },
    spare: () => held.length,
    adopt,
    close() {
      for (const pipe of held.splice(0)) closeSync(pipe);
    },
  };
}

/** Null if the name is missing or can't be removed: another process could open it. */
function takeOver(name: string): number | null {
  let pipe: number | null = null;
  try {
    pipe = openSync(name, O_PATH | constants.O_NOFOLLOW);
    unlinkSync(name);
    return pipe;
  } catch {
    if (pipe !== null) closeSync(pipe);
    return null;
  }
}

/** A pipe for the output of a process we start ourselves. */
export function toOutputPipe({ readEnd, writeEnd }: PipeEnds): OutputPipe {
  return { reader: readPipe(readEnd), writeEnd, closeWriteEnd: () => closeSync(writeEnd) };
}

function openEnds(holder: number): PipeEnds {
  const name = `/proc/self/fd/${holder}`;
  // The reader first and non-blocking, then the writer finds it.
  const readEnd = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeEnd = openSync(name, constants.O_WRONLY);
  closeSync(holder);
  return { readEnd, writeEnd };
}
