import { isWithin } from '@signalbox/core';

/** What `@anthropic-ai/sandbox-runtime` is told, of what it takes. */
export type RuntimeConfiguration = {
  readonly network: { readonly allowedDomains: readonly string[]; readonly deniedDomains: readonly string[] };
  readonly filesystem: {
    readonly denyRead: readonly string[];
    /** Within what is denied. */
    readonly allowRead: readonly string[];
    readonly allowWrite: readonly string[];
    /** Within what is allowed. */
    readonly denyWrite: readonly string[];
  };
};

/**
 * The same masks and the same workspace as bubblewrap would be told, and no network.
 *
 * @param mounts Arguments of bubblewrap. @param readable Files of ours that are shown although they lie in a mask.
 */
export function runtimeConfiguration(
  mounts: readonly string[],
  options: {
    readonly workspace: string;
    readonly isMasked: (path: string) => boolean;
    readonly readable: readonly string[];
  },
): RuntimeConfiguration {
  const { workspace, isMasked, readable } = options;
  const masks: string[] = [];
  const shown: string[] = [];
  const writable: string[] = [];
  const fixed: string[] = [];
  mounts.forEach((word, at) => {
    const [first = '', second = ''] = mounts.slice(at + 1, at + 3);
    if (word === '--tmpfs' && isMasked(first)) masks.push(first);
    if (word === '--bind' && second === workspace) writable.push(second);
    if (word !== '--ro-bind') return;
    if (first === '/dev/null') masks.push(second);
    else if (first === second && isWithin(second, workspace) && second !== workspace) fixed.push(second);
    else if (first === second) shown.push(second);
  });
  const isBelowMask = (path: string): boolean => masks.some((mask) => mask !== path && isWithin(path, mask));
  return {
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: {
      denyRead: masks,
      allowRead: [workspace, ...shown, ...readable].filter(isBelowMask),
      allowWrite: writable,
      // What can't be read could be written all the same.
      denyWrite: [...fixed, ...masks.filter((mask) => isWithin(mask, workspace))],
    },
  };
}
