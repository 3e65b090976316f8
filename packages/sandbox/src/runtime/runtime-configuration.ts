import { isWithin } from '@signalbox/core';

/** The configuration of `@anthropic-ai/sandbox-runtime`, as far as we set it. */
export type RuntimeConfiguration = {
  readonly network: { readonly allowedDomains: readonly string[]; readonly deniedDomains: readonly string[] };
  readonly filesystem: {
    readonly denyRead: readonly string[];
    /** Exceptions to `denyRead`. */
    readonly allowRead: readonly string[];
    readonly allowWrite: readonly string[];
    /** Exceptions to `allowWrite`. */
    readonly denyWrite: readonly string[];
  };
};

/**
 * The same masks and workspace that bubblewrap gets, and no network.
 *
 * @param mounts Arguments of bubblewrap.
 * @param readable Files of ours that are shown although they are below a mask.
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
