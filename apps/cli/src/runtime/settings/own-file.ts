import { dirname, join } from 'node:path';
import { UsageError } from '@signalbox/core';
import { readStateFile } from '../workspace/state-file.ts';
import { readTrustedHashes } from './trusted-hashes.ts';
import { writeWhole } from '../workspace/write-whole.ts';

/**
 * A copy of the last confirmed text next to the file, to show what changed since. It counts only if its hash is known.
 */
const COPY = 'local.confirmed.yaml';

/**
 * `.signalbox/local.yaml`, and whether it is this user's: its hash is kept in their configuration folder when Signalbox
 * writes it for them or they confirm it. Any other file came with the repository, whatever git says about it.
 */
export type OwnFile = {
  /** Absolute. */
  readonly path: string;
  /** Null if there is none. */
  readonly text: string | null;
  readonly isConfirmed: boolean;
  /** The last confirmed text; null if unknown. */
  readonly confirmed: string | null;
  /** The user has seen the current file and accepts it. */
  confirm(): Promise<void>;
  /**
   * Writes it for the user.
   *
   * @throws {UsageError} `unconfirmed-settings` if the existing file is not theirs: it would become theirs unseen
   */
  write(text: string): Promise<void>;
};

/** @throws {UnavailableError} `state-unsafe` if the file is a link or owned by another account */
export async function readOwnFile(backend: {
  readonly directory: string;
  /** Absolute. */
  readonly file: string;
  readonly configFolder: string;
}): Promise<OwnFile> {
  const { directory, file, configFolder } = backend;
  const text = readStateFile(file);
  const hashes = await readTrustedHashes(join(configFolder, 'trusted-settings.json'), directory);
  const copyFile = join(dirname(file), COPY);
  const copy = readStateFile(copyFile);
  const isConfirmed = text === null || hashes.has(text);
  return {
    path: file,
    text,
    isConfirmed,
    confirmed: copy !== null && hashes.has(copy) ? copy : null,
    async confirm() {
      if (text === null) return;
      await hashes.replace([text]);
      writeWhole(copyFile, text);
    },
    async write(next) {
      requireConfirmed({ isConfirmed });
      // A reader between the two steps finds a confirmed file.
      await hashes.replace(text === null ? [next] : [text, next]);
      writeWhole(file, next);
      await hashes.replace([next]);
      writeWhole(copyFile, next);
    },
  };
}

/** @throws {UsageError} `unconfirmed-settings` */
export function requireConfirmed({ isConfirmed }: Pick<OwnFile, 'isConfirmed'>): void {
  if (isConfirmed) return;
  throw new UsageError('unconfirmed-settings', 'Cannot change .signalbox/local.yaml: it is not confirmed', {
    why: [
      'it was changed outside Signalbox, or came with the repository; a change here would confirm all of it',
    ],
    next: ['signalbox config trust      shows it and asks'],
  });
}
