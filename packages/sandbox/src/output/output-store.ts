import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { StoredOutput } from '@signalbox/core';

/** Upper bound on the kept text of one stream. */
export const MAX_STORED_BYTES = 102_400;
/** Upper bound on the file with the full text. */
export const MAX_SPILL_BYTES = 128 * 1024 ** 2;

/** Beyond this, output is no longer passed on as text; the result has its head and tail. */
export const MAX_STREAMED_BYTES = 4 * 1024 ** 2;

const HEAD_BYTES = MAX_STORED_BYTES / 2;
/** Reserved for the line between head and tail. */
const GAP_BYTES = 128;
const TAIL_BYTES = MAX_STORED_BYTES - HEAD_BYTES - GAP_BYTES;

export type OutputStore = {
  /**
   * Adds the next bytes. Don't change them or add more until the promise settles, which slows down a fast
   * writer. Null means done.
   */
  readonly add: (chunk: Buffer) => Promise<void> | null;
  end(): Promise<StoredOutput>;
};

/**
 * Keeps the head and the tail of a stream, passes its text on, and spills the full text to a file once it
 * exceeds what is kept. Its memory doesn't grow with the stream.
 */
export function createOutputStore(options: {
  /** Created, readable by us only, when the stream exceeds what is kept. */
  readonly spillFile: string;
  readonly onText: (text: string) => void;
}): OutputStore {
  const decoder = new StringDecoder('utf8');
  const kept = createEnds();
  const spill = createSpill(options.spillFile);
  let totalBytes = 0;

  const pass = (text: string): void => {
    if (text === '') return;
    kept.add(Buffer.from(text));
    options.onText(text);
  };

  function receive(chunk: Buffer): void {
    const isStreamed = totalBytes < MAX_STREAMED_BYTES;
    totalBytes += chunk.length;
    if (!isStreamed) return kept.add(chunk);
    // The last text passed on ends with a whole character.
    const end = totalBytes < MAX_STREAMED_BYTES ? chunk.length : wholeCharacters(chunk, chunk.length);
    pass(decoder.write(chunk.subarray(0, end)));
    kept.add(chunk.subarray(end));
  }

  return {
    add(chunk) {
      receive(chunk);
      return spill.add(chunk);
    },
    async end() {
      pass(decoder.end());
      const { text, truncated } = kept.end();
      const spillFile = await spill.end(truncated);
      return { text, totalBytes, truncated, ...(spillFile === null ? {} : { spillFile }) };
    },
  };
}

/** Keeps the first and the last bytes added, which are whole UTF-8 characters. */
function createEnds(): { add(bytes: Buffer): void; end(): { text: string; truncated: boolean } } {
  let head: Buffer = Buffer.alloc(0);
  /** A ring buffer: once it has wrapped, the byte after `position` is the oldest. */
  let ring: Buffer | null = null;
  let position = 0;
  let behindHead = 0;
  const size = MAX_STORED_BYTES - HEAD_BYTES;

  const addToRing = (bytes: Buffer): void => {
    ring ??= Buffer.alloc(size);
    behindHead += bytes.length;
    const rest = bytes.subarray(Math.max(0, bytes.length - size));
    const first = rest.copy(ring, position);
    rest.copy(ring, 0, first);
    position = (position + rest.length) % size;
  };

  return {
    add(bytes) {
      const room = HEAD_BYTES - head.length;
      if (room > 0) head = Buffer.concat([head, bytes.subarray(0, room)]);
      if (bytes.length > room) addToRing(bytes.subarray(Math.max(0, room)));
    },
    end() {
      if (ring === null) return { text: head.toString(), truncated: false };
      if (behindHead <= size) {
        return { text: Buffer.concat([head, ring.subarray(0, behindHead)]).toString(), truncated: false };
      }
      // Invalid bytes grow when decoded.
      const all = Buffer.from(
        Buffer.concat([ring.subarray(position), ring.subarray(0, position)]).toString(),
      );
      const start = wholeCharacters(head, head.length);
      const tailFrom = nextCharacter(all, all.length - TAIL_BYTES);
      const left = behindHead - (all.length - tailFrom) + (head.length - start);
      const gap = `\n[… ${left} bytes left out …]\n`;
      return {
        text: head.toString('utf8', 0, start) + gap + all.toString('utf8', tailFrom),
        truncated: true,
      };
    },
  };
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** The start of the character a cut at `end` would split, or `end` if none. */
function wholeCharacters(bytes: Buffer, end: number): number {
  let start = end - 1;
  while (start > 0 && isContinuation(bytes[start])) start--;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + length > end ? start : end;
}

function nextCharacter(bytes: Buffer, from: number): number {
  let at = from;
  while (isContinuation(bytes[at])) at++;
  return at;
}

/** A file that is created on first use, and removed if it would be incomplete. */
function createSpill(path: string): {
  add(chunk: Buffer): Promise<void> | null;
  end(needed: boolean): Promise<string | null>;
} {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let file: FileHandle | null = null;
  let state: 'waiting' | 'open' | 'given-up' = 'waiting';

  const giveUp = async (): Promise<void> => {
    state = 'given-up';
    waiting = [];
    await file?.close().catch(() => undefined);
    await rm(path, { force: true }).catch(() => undefined);
  };

  const write = async (chunk: Buffer): Promise<void> => {
    if (state === 'waiting') {
      waiting.push(Buffer.from(chunk));
      if (bytes <= MAX_STORED_BYTES) return;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      file = await open(path, 'w', 0o600);
      state = 'open';
      await file.writeFile(Buffer.concat(waiting));
      waiting = [];
      return;
    }
    await file?.writeFile(chunk);
  };

  return {
    add(chunk) {
      if (state === 'given-up') return null;
      bytes += chunk.length;
      if (bytes > MAX_SPILL_BYTES) return giveUp();
      // A full disk must not end the command: most of its text is kept anyway.
      return write(chunk).catch(giveUp);
    },
    async end(needed) {
      if (state !== 'open') return null;
      await file?.close();
      if (needed) return path;
      await rm(path, { force: true });
      return null;
    },
  };
}
