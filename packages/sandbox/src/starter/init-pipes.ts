import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import { SandboxError } from '@signalbox/core';
import { holdStream } from '../output/hold-stream.ts';
import type { PipeEnds, Pipes } from '../output/output-pipe.ts';
import { type OutputReader, readPipe } from '../output/output-reader.ts';

/** Our ends of the pipes of a process that the starter starts. */
export type InitPipes = {
  readonly stdin: Socket;
  readonly output: readonly [stdout: OutputReader, stderr: OutputReader];
  /** Descriptors 3, 4 and 5 of that process. */
  readonly report: Socket;
  readonly orders: Socket;
  readonly status: Socket;
  /** Our descriptors of its ends, which it opens as its descriptors 0 to 5. */
  readonly theirs: readonly number[];
  /**
   * Call once it has opened them. Until then a pipe without a writer would end, and opening one without a
   * reader would fail.
   */
  readonly closeTheirs: () => void;
  /** Sets whether our own process stays alive for them. */
  readonly hold: (isHeld: boolean) => void;
  /** Closes our ends, if no process has taken the others. */
  readonly close: () => void;
};

/** Descriptors 0 to 5 of a started process. */
const DESCRIPTORS = 6;

/** @throws {SandboxError} when too few pipes can be created; then none stays open */
export function openInitPipes(pipes: Pipes): InitPipes {
  const theirs: number[] = [];
  const all = openAll(pipes);
  const open = (): PipeEnds => all.pop() as PipeEnds;
  const reader = (): number => {
    const { readEnd, writeEnd } = open();
    theirs.push(writeEnd);
    return readEnd;
  };
  const writer = (): Socket => {
    const { readEnd, writeEnd } = open();
    theirs.push(readEnd);
    // The reader may end before everything is read.
    return new Socket({ fd: writeEnd, readable: false, writable: true }).on('error', () => undefined);
  };
  const stream = (fd: number): Socket => new Socket({ fd, readable: true, writable: false });
  const stdin = writer();
  const output = [readPipe(reader()), readPipe(reader())] as const;
  const report = stream(reader());
  const orders = writer();
  const status = stream(reader());
  return {
    stdin,
    output,
    report,
    orders,
    status,
    theirs,
    closeTheirs() {
      for (const fd of theirs.splice(0)) closeSync(fd);
    },
    hold(isHeld) {
      for (const one of [stdin, report, orders, status]) holdStream(one, isHeld);
      for (const one of output) one.hold(isHeld);
    },
    close() {
      for (const one of [stdin, report, orders, status]) one.destroy();
      for (const one of output) one.giveUp();
    },
  };
}

/** A pipe for each descriptor, or none at all. */
function openAll(pipes: Pipes): PipeEnds[] {
  const all: PipeEnds[] = [];
  while (all.length < DESCRIPTORS) {
    const ends = pipes.open();
    if (ends === null) {
      for (const { readEnd, writeEnd } of all) [readEnd, writeEnd].forEach((fd) => closeSync(fd));
      throw new SandboxError('Cannot run the command: no pipes can be made', { next: ['signalbox doctor'] });
    }
    all.push(ends);
  }
  return all;
}
