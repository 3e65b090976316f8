import type { CommandRecord, FileTouch } from '@signalbox/core';
import { keepLatest } from '../keep-latest.ts';

/**
 * Files of the workspace that a command wrote while it reached another machine: what reads them reads text from there.
 * Known as long as the coordinator lives.
 */
type DownloadedFiles = {
  /** Notes what a command changed; `source` is where its text comes from, if that is outside of the workspace. */
  note(
    command: Pick<CommandRecord, 'verdict'>,
    did: { readonly changes: readonly Pick<FileTouch, 'path' | 'kind'>[]; readonly source: string | null },
  ): void;
  /** The source of a file that this command reads by its name; null if it reads none. */
  sourceOf(command: Pick<CommandRecord, 'verdict'>): string | null;
};

/** The latest are known. */
const MAX_FILES = 2000;

export function createDownloadedFiles(): DownloadedFiles {
  const sources = new Map<string, string>();
  return {
    note({ verdict }, { changes, source }) {
      for (const { path, kind } of changes) if (kind === 'deleted') sources.delete(path);
      // Dependencies and pulled commits are part of the project.
      const isOfProject = verdict?.effects.some(
        (effect) => effect.kind === 'network' && effect.source !== undefined,
      );
      if (source === null || isOfProject === true) return;
      for (const { path, kind } of changes)
        if (kind === 'created' || kind === 'modified')
          keepLatest(sources, path, { value: source, max: MAX_FILES });
    },
    sourceOf({ verdict }) {
      for (const effect of verdict?.effects ?? []) {
        if (effect.kind !== 'read' || effect.scope !== 'file') continue;
        const source = sources.get(effect.path);
        if (source !== undefined) return `${source}, in ${effect.path}`;
      }
      return null;
    },
  };
}
