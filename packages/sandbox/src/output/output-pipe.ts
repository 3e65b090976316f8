import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, unlinkSync } from 'node:fs';
import { runTrusted } from '../programs.ts';
import { PIPES_AT_ONCE } from '../starter/starter-script.ts';
import { type OutputReader, readPipe } from './output-reader.ts';

/** A real pipe: Node.js's own are sockets, which a command cannot open again as `/dev/stderr`. */
export type OutputPipe = {
  readonly reader: OutputReader;
  /** Descriptor for the command; the reader ends only when it is closed here too. */
  readonly writeEnd: number;
  readonly closeWriteEnd: () => void;
};

/** Both ends of a pipe without a name, for who opens one of them again through `/proc`. */
export type PipeEnds = { readonly readEnd: number; readonly writeEnd: number };

export type Pipes = {
  /** Null where none can be made. */
  readonly open: () => PipeEnds | null;
  /** How many can be opened before a program has to be started for more. */
  readonly spare: () => number;
  /** Takes over the named pipes `BATCH-1` and so on of the folder, as far as they are there, and takes their names away. */
  readonly adopt: (batch: string) => void;
  /** Closes what nobody has opened. */
  readonly close: () => void;
};

/** `O_PATH` of `include/uapi/asm-generic/fcntl.h`: holds a file without opening it. */
const O_PATH = 0o10000000;

/** The beginning of such names: what is left of them is removed at the next start. */
export function newBatch(): string {
  return `pipe-${randomUUID()}`;
}

/** Opens pipes by way of named ones, whose names are gone before anybody else could open them. */
export function createPipes(folder: string): Pipes {
  const held: number[] = [];

  function adopt(batch: string): void {
    for (let number = 1; number <= PIPES_AT_ONCE; number++) {
      const name = `${folder}/${batch}-${number}`;
      const pipe = takeOver(name);
      // The folder can be gone meanwhile: who needs a pipe has more made, or is told that none can be.
      if (pipe === null) return;
      held.push(pipe);
    }
  }

  /** None where they can't be made. A pipe is held and opened through `/proc`. */
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

/** Null where the name is gone, or stays: another one could open it. */
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

/** A pipe for the output of a process that we start ourselves. */
export function toOutputPipe({ readEnd, writeEnd }: PipeEnds): OutputPipe {
  return { reader: readPipe(readEnd), writeEnd, closeWriteEnd: () => closeSync(writeEnd) };
}

function openEnds(holder: number): PipeEnds {
  const name = `/proc/self/fd/${holder}`;
  // The reader first, and without waiting for a writer; then the writer finds it.
  const readEnd = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeEnd = openSync(name, constants.O_WRONLY);
  closeSync(holder);
  return { readEnd, writeEnd };
}
