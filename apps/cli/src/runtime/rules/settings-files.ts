import { errorText } from '@signalbox/core';
import { readFileSync } from 'node:fs';
import type { Context } from '../contract/context.ts';
import { LOCAL_FILE, ownFileOf, settingsFiles } from '../settings/settings-files.ts';
import { requireConfirmed } from '../settings/own-file.ts';
import { readShared, writeShared } from '../settings/shared-file.ts';
import { SHARED_FILE } from '../workspace/state-folder.ts';
import { SettingsFileError } from '../settings/settings-file-error.ts';
import { writeWhole } from '../workspace/write-whole.ts';

/** Yours for all workspaces, yours here, or shared. */
export type SettingsScope = 'user' | 'local' | 'workspace';

/** A settings file that a user edits. */
export type SettingsFile = Readonly<{
  /** Display name. */
  name: string;
  /** Absolute. */
  path: string;
  /** Null if the file does not exist. */
  text: string | null;
  /** Writes the whole file. A file that was the user's own stays so, byte for byte. */
  write(text: string): Promise<void>;
}>;

/**
 * @throws {SettingsFileError} for a file that exists but can't be read
 * @throws {UsageError} `unconfirmed-settings` for a `.signalbox/local.yaml` that this user neither wrote nor confirmed
 */
export async function openSettingsFile(
  whose: SettingsScope,
  context: Pick<Context, 'directory' | 'env'>,
): Promise<SettingsFile> {
  const files = settingsFiles(context);
  switch (whose) {
    case 'user': {
      const path = files.user;
      return { name: path, path, text: textOf(path), write: async (text) => writeWhole(path, text) };
    }
    case 'workspace': {
      const path = files.shared;
      const { text } = readShared(path, undefined);
      return { name: SHARED_FILE, path, text, write: async (next) => writeShared(path, next) };
    }
    case 'local': {
      const own = await ownFileOf(context);
      requireConfirmed(own);
      return { name: LOCAL_FILE, path: files.yours, text: own.text, write: (next) => own.write(next) };
    }
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new SettingsFileError(`Cannot read ${path}`, {
      why: [errorText(error)],
    });
  }
}
