import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, unlinkSync } from 'node:fs';
import { runTrusted } from '../programs.ts';
import { type OutputReader, readPipe } from './output-reader.ts';

/** A real pipe: Node.js's own are sockets, which a command cannot open again as `/dev/stderr`. */
export type OutputPipe = {
  readonly reader: OutputReader;
  /** Descriptor for the command; the reader ends only when it is closed here too. */
  readonly writeEnd: number;
  readonly closeWriteEnd: () => void;
};

/** Pipes are made so many at a time, since a program has to be started for it. */
const BATCH = 16;

/** `O_PATH` of `include/uapi/asm-generic/fcntl.h`: holds a file without opening it. */
const O_PATH = 0o10000000;

/** Opens pipes by way of named ones, whose names are gone before anybody else could open them. */
export function createOutputPipes(folder: string): () => OutputPipe | null {
  let held: number[] = [];

  return () => {
    if (held.length === 0) held = makePipes(folder);
    const holder = held.pop();
    return holder === undefined ? null : openPipe(holder);
  };
}

/** Descriptors that hold a pipe each; none where they can't be made. */
function makePipes(folder: string): number[] {
  // A pipe is held and opened through `/proc`.
  if (process.platform !== 'linux') return [];
  const batch = `${folder}/pipe-${randomUUID()}`;
  const names = Array.from({ length: BATCH }, (_, index) => `${batch}-${index}`);
  if (runTrusted(['mkfifo', '--mode=600', ...names], '/usr/bin:/bin') === null) return [];
  return names.map((name) => {
    const holder = openSync(name, O_PATH | constants.O_NOFOLLOW);
    unlinkSync(name);
    return holder;
  });
}

function openPipe(holder: number): OutputPipe {
  const name = `/proc/self/fd/${holder}`;
  // The reader first, and without waiting for a writer; then the writer finds it.
  const readEnd = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeEnd = openSync(name, constants.O_WRONLY);
  closeSync(holder);
  return {
    reader: readPipe(readEnd),
    writeEnd,
    closeWriteEnd: () => closeSync(writeEnd),
  };
}
