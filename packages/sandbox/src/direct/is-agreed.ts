import { isInPackages, type NamedFiles, programFilesBelow } from '@signalbox/core';

/** Whether the change of a path was approved: by itself, or by a folder of such files or of packages above it. */
export function isAgreed(path: string, agreed: readonly string[], named: NamedFiles): boolean {
  return agreed.some(
    (one) =>
      one === path ||
      (path.startsWith(`${one}/`) && (isInPackages(one) || programFilesBelow(one, named) !== undefined)),
  );
}
