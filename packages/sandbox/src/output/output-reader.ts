import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { holdStream } from './hold-stream.ts';

/** One stream of a command's output, read at the speed of its consumer. */
export type OutputReader = {
  /**
   * Passes each piece to `take` until the stream ends or is given up. The bytes are overwritten once `take` is
   * done: when its promise settles, or at once if it returns null.
   */
  readonly read: (take: (bytes: Buffer) => Promise<void> | null) => Promise<void>;
  /** Stops reading, if a process that left the tree holds the stream open. */
  readonly giveUp: () => void;
  /** Sets whether our own process stays alive for it. */
  readonly hold: (isHeld: boolean) => void;
};

/** The default capacity of a pipe. */
const PIECE_BYTES = 65_536;

/** Reads a pipe into one buffer, so that gigabytes create no garbage. */
export function readPipe(fd: number): OutputReader {
  const buffer = Buffer.allocUnsafeSlow(PIECE_BYTES);
  let isGivenUp = false;
  /** Bytes that arrived before `read` was called. */
  let early = 0;
  let onBytes = (length: number): boolean => {
    early = length;
    return false;
  };
  const onread = { buffer, callback: (length: number): boolean => onBytes(length) };
  const socket = new Socket({ fd, readable: true, writable: false, onread });

  return {
    read: (take) =>
      new Promise((resolve, reject) => {
        const fail = (cause: unknown): void => {
          reject(cause instanceof Error ? cause : new Error(String(cause)));
          socket.destroy();
        };
        socket.once('end', resolve).once('error', reject);
        socket.once('close', () => (isGivenUp ? resolve() : reject(new Error('The output was cut off'))));
        onBytes = (length) => {
          try {
            const taken = take(buffer.subarray(0, length));
            void taken?.then(() => socket.resume(), fail);
            return taken === null;
          } catch (cause) {
            fail(cause);
            return false;
          }
        };
        if (early === 0 || onBytes(early)) socket.resume();
      }),
    giveUp() {
      isGivenUp = true;
      socket.destroy();
    },
    hold: (isHeld) => holdStream(socket, isHeld),
  };
}

/** Reads any stream. */
export function readStream(stream: Readable): OutputReader {
  let isGivenUp = false;
  return {
    async read(take) {
      try {
        for await (const chunk of stream) await take(chunk as Buffer);
      } catch (cause) {
        if (!isGivenUp) throw cause;
      }
    },
    giveUp() {
      isGivenUp = true;
      stream.destroy();
    },
    hold: (isHeld) => holdStream(stream, isHeld),
  };
}
