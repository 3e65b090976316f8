import { basename, dirname, join } from 'node:path';
import type { Clock } from '@signalbox/core';
import { loadSettings } from './load-settings.ts';
import { settingsFiles } from './settings-files.ts';
import type { LoadedSettings } from './merge-sources.ts';
import { watchFolder } from './watch-folder.ts';

/** Editors write a file in several steps; it is read this long after the last, in milliseconds. */
const QUIET_MS = 50;

/** Settings, and the files they are read from. */
export type SettingsOnDisk = Readonly<{
  /** Absolute. */
  files: readonly string[];
  /** @throws {SettingsFileError} for the first mistake, with a picture of it. */
  load(): Promise<LoadedSettings>;
}>;

/** The settings of a workspace, and what its user trusts in them. */
export function settingsOnDisk(backend: Parameters<typeof loadSettings>[0]): SettingsOnDisk {
  const { user, shared, yours } = settingsFiles(backend);
  const trusted = ['trusted-rules.json', 'trusted-settings.json'].map((name) => join(dirname(user), name));
  return { files: [user, shared, yours, ...trusted], load: () => loadSettings(backend) };
}

/**
 * Reloads the settings whenever one of their files changes; returns how to stop (C10).
 *
 * Watching does not keep the process alive unless `staysAlive` is set.
 */
export function watchSettings(
  { files, load }: SettingsOnDisk,
  listener: {
    readonly changed: (loaded: LoadedSettings) => void;
    /** A file can't be used: the current settings stay. The error shows its line and column. */
    readonly refused: (error: unknown) => void;
  },
  { clock, staysAlive = false }: { readonly clock: Pick<Clock, 'timer'>; readonly staysAlive?: boolean },
): () => void {
  let cancelTimer: () => void = () => undefined;
  let isStopped = false;
  /** Of several concurrent reads only the last counts. */
  let reads = 0;

  async function read(): Promise<void> {
    reads += 1;
    const own = reads;
    const isLast = (): boolean => own === reads && !isStopped;
    try {
      const loaded = await load();
      if (isLast()) listener.changed(loaded);
    } catch (error) {
      if (isLast()) listener.refused(error);
    }
  }

  const stops = [...new Set(files.map((file) => dirname(file)))].map((folder) => {
    const names = new Set(files.filter((file) => dirname(file) === folder).map((file) => basename(file)));
    const onChange = (name: string | null): void => {
      if (name !== null && !names.has(name)) return;
      cancelTimer();
      cancelTimer = clock.timer(QUIET_MS, () => void read());
    };
    return watchFolder(folder, staysAlive, onChange);
  });

  return () => {
    isStopped = true;
    cancelTimer();
    for (const stop of stops) stop();
  };
}
