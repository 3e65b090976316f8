import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NamedFiles } from '@signalbox/core';
import { isAgreed } from './is-agreed.ts';

type Parts = {
  readonly workspace: string;
  readonly agreed: readonly string[];
  readonly named: NamedFiles;
};

/**
 * Removes approved parts from a protected path: returns the path itself, everything beside an approved part, or
 * nothing if all of it is approved.
 */
export function withoutAgreed(path: string, parts: Parts): readonly string[] {
  const { workspace, agreed, named } = parts;
  if (isAgreed(path, agreed, named)) return [];
  const at = join(workspace, path);
  const isFolder = lstatSync(at, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder || !agreed.some((one) => one.startsWith(`${path}/`))) return [path];
  return readdirSync(at).flatMap((name) => withoutAgreed(`${path}/${name}`, parts));
}
