import { isInPackages, type NamedFiles, programFilesBelow } from '@signalbox/core';

/** Whether a call that named these paths was let change this one: itself, or a folder of such files or of packages above it. */
export function isAgreed(path: string, agreed: readonly string[], named: NamedFiles): boolean {
  return agreed.some(
    (one) =>
      one === path ||
      (path.startsWith(`${one}/`) && (isInPackages(one) || programFilesBelow(one, named) !== undefined)),
  );
}
