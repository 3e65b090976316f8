import type { ContentHash } from './file-touch.ts';

/**
 * The version of a file that a session last saw, on which its next write is based. `null`: it saw that nothing is
 * there.
 */
export type ReadHash = {
  readonly hash: ContentHash | null;
  readonly text: string | null;
  /** Shown by a refusal at this time (epoch milliseconds): calls submitted before had not seen it. */
  readonly shownAt?: number;
};

/** The files as one session last saw them. */
export type ReadHashes = {
  get(path: string): ReadHash | undefined;
  /** The most recently noted, at most `count`. */
  latest(count: number): readonly (readonly [path: string, ReadHash])[];
  /** Only the hash is kept of texts over 1 MiB. */
  note(path: string, reading: ReadHash): void;
};

const MAX_TEXT_LENGTH = 1024 * 1024;

export function createReadHashes(): ReadHashes {
  const byPath = new Map<string, ReadHash>();
  return {
    get: (path) => byPath.get(path),
    latest: (count) => [...byPath].slice(-count),
    note(path, reading) {
      const tooLong = (reading.text?.length ?? 0) > MAX_TEXT_LENGTH;
      byPath.delete(path);
      byPath.set(path, tooLong ? { ...reading, text: null } : reading);
    },
  };
}
