import { realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isInPackages } from '@signalbox/core';
import type { WatchedNames } from './watched-names.ts';

/**
 * The link with the name of a program file that leads to a path, by path. A mount keeps that path, not the
 * folders above it.
 */
export type LinkTargets = ReadonlyMap<string, string>;

export function linkTargets(workspace: string, { names }: WatchedNames): LinkTargets {
  const targets = new Map<string, string>();
  for (const [link, { existing }] of names) {
    if (existing.kind !== 'link' || isInPackages(link) || link.split('/').includes('.git')) continue;
    const path = targetOf(workspace, link);
    if (path !== null) targets.set(path, link);
  }
  return targets;
}

/** The link that leads to a path or to a folder above it. */
export function linkTo(path: string, targets: LinkTargets): string | undefined {
  for (let at = path; at !== '.'; at = dirname(at)) {
    const link = targets.get(at);
    if (link !== undefined) return link;
  }
  return undefined;
}

/** Null if the target doesn't exist or is outside the workspace. */
function targetOf(workspace: string, link: string): string | null {
  try {
    const path = relative(workspace, realpathSync(join(workspace, link)));
    return path === '' || path.split('/')[0] === '..' ? null : path;
  } catch {
    return null;
  }
}
