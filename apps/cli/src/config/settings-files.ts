import { readFileSync } from 'node:fs';
import type { Context } from '../frame/context.ts';
import { LOCAL_FILE, settingsFiles, SHARED_FILE } from '../settings/load-settings.ts';
import { SettingsFileError } from '../settings/settings-file-error.ts';

/** Yours for all workspaces, yours here, or shared. */
export type Whose = 'user' | 'local' | 'workspace';

/** A file of settings as it stands. */
export type SettingsFile = Readonly<{
  /** As people know it. */
  name: string;
  /** Absolute. */
  path: string;
  /** Null where there is none. */
  text: string | null;
}>;

/** @throws {SettingsFileError} for one that is there and can't be read */
export function readSettingsFile(whose: Whose, context: Pick<Context, 'directory' | 'env'>): SettingsFile {
  const files = settingsFiles(context);
  const [name, path] = {
    user: [files.user, files.user] as const,
    local: [LOCAL_FILE, files.yours] as const,
    workspace: [SHARED_FILE, files.shared] as const,
  }[whose];
  return { name, path, text: textOf(name, path) };
}

function textOf(name: string, path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new SettingsFileError(`Cannot read ${name}`, {
      why: [error instanceof Error ? error.message : String(error)],
    });
  }
}
