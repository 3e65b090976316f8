import { dirname, join } from 'node:path';
import { UsageError } from '@signalbox/core';
import { readStateFile } from '../workspace/state-file.ts';
import { readTrustedHashes } from './trusted-hashes.ts';
import { writeWhole } from '../workspace/write-whole.ts';

/** A copy of what was confirmed last, beside the file, to show what is new since; it counts where its hash is known. */
const COPY = 'local.confirmed.yaml';

/**
 * `.signalbox/local.yaml`, and whether it is this user's: its hash is kept in their configuration folder when Signalbox
 * writes it for them or they confirm it. Any other, whatever git says of it, came with the repository.
 */
export type OwnFile = {
  /** Absolute. */
  readonly path: string;
  /** Null where there is none. */
  readonly text: string | null;
  readonly isConfirmed: boolean;
  /** The text that was confirmed last; null where it is not known. */
  readonly confirmed: string | null;
  /** The person has seen the file as it stands, and wants it to count. */
  confirm(): Promise<void>;
  /**
   * Writes it for the person.
   *
   * @throws {UsageError} `unconfirmed-settings` where what stands there is not theirs: it would become so unseen.
   */
  write(text: string): Promise<void>;
};

/** @throws {UnavailableError} `state-unsafe` where the file is a link or somebody else's */
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
      // Whoever reads between the steps finds one that is confirmed.
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
      'it was changed outside Signalbox, or came with the repository; a change would make all of it yours',
    ],
    next: ['signalbox config trust      shows it and asks'],
  });
}
