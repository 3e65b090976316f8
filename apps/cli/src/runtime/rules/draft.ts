import { canonicalJson } from '@signalbox/core';
import type { Context } from '../contract/context.ts';
import { line, muted } from '../../terminal/line.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { LoadedSettings } from '../settings/merge-sources.ts';
import { keysOfNextStart } from '../settings/next-start.ts';
import { SettingsFileError } from '../settings/settings-file-error.ts';
import { noteLine } from '../settings/note-line.ts';

/** Texts to use instead of the content of these files, by absolute path. */
export type Drafts = ReadonlyMap<string, string>;

/**
 * The settings as they would be with these drafts.
 *
 * @param what What could not be done, as in "Cannot …".
 * @throws {SettingsFileError} when they would not load; nothing has been written
 */
export async function loadDraft(
  what: string,
  drafts: Drafts,
  context: Pick<Context, 'directory' | 'env'>,
): Promise<LoadedSettings> {
  try {
    return await loadSettings(context, drafts);
  } catch (error) {
    if (!(error instanceof SettingsFileError)) throw error;
    const { message, why, next, picture } = error;
    const reason = message.replace(/^Cannot read .*?: /, '');
    throw new SettingsFileError(`Cannot ${what}: ${reason}`, {
      why: ['the settings would not load, so nothing was written', ...why],
      next,
      picture,
    });
  }
}

/** Explains a settings change that was just made: what has no effect, and when the rest applies. */
export function reportChange(before: LoadedSettings | null, after: LoadedSettings, context: Context): void {
  const known = new Set(before?.notes.map((note) => canonicalJson(note)));
  const fresh = after.notes.filter((note) => !known.has(canonicalJson(note)));
  context.tell(fresh.map(noteLine));
  const later = before === null ? [] : keysOfNextStart(before.settings, after.settings);
  if (later.length > 0)
    context.say([line(muted(`Takes effect when the coordinator restarts: ${later.join(', ')}`))]);
}
