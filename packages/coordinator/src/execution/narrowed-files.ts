import { type Files, ToolFailure } from '@signalbox/core';

/** The files without those that a profile hides (S003-80). */
export function narrowedFiles(files: Files, isDenied: ((path: string) => boolean) | null): Files {
  if (isDenied === null) return files;
  return {
    ...files,
    async readText(path, options) {
      if (isDenied(files.normalise(path))) {
        throw new ToolFailure({
          code: 'path_not_allowed',
          category: 'PolicyBlocked',
          message: `Cannot read "${path}": the profile of this provider or tool denies reading it`,
          suggestion: 'Continue without it',
        });
      }
      return files.readText(path, options);
    },
    async list(path, options) {
      const found = await files.list(path, options);
      const entries = found.entries.filter((entry) => !isDenied(entry.path));
      return { ...found, entries, hidden: found.hidden + found.entries.length - entries.length };
    },
  };
}
