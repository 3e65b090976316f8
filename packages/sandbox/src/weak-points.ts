import { readdir } from 'node:fs/promises';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { Isolation } from '@signalbox/core';
import { ownAccount } from './account.ts';
import { MAX_FOLDERS, SKIPPED } from './denials/denied-paths.ts';

/** A measure that is weaker on this machine or in this layer than at best. */
export type WeakPoint = { readonly id: string; readonly why: string; readonly fix: string | null };

/** @param accounts The machine's list of accounts. */
export async function weakerFacts(
  { layer }: Pick<Isolation, 'layer'>,
  { workspace, accounts }: { readonly workspace: string; readonly accounts: string },
): Promise<readonly WeakPoint[]> {
  return [
    ...(layer === 'overlay' ? [ATTRIBUTES] : [JUDGED_LATE]),
    ...(ownAccount().uid === 0 ? [ROOT] : []),
    ...(isReadable(accounts) ? [] : [otherHomes(accounts)]),
    ...((await isLarger(workspace, MAX_FOLDERS)) ? [MASKS] : []),
  ];
}

const ATTRIBUTES: WeakPoint = {
  id: 'extended attributes',
  why: 'Files keep theirs, but changes to attributes alone are not committed: access control lists, labels',
  fix: null,
};
const JUDGED_LATE: WeakPoint = {
  id: 'settings and git',
  why: 'Commands write to the workspace itself: changes to settings of git and other programs are checked only after a command has exited, and then moved to .signalbox/quarantine',
  fix: null,
};
const ROOT: WeakPoint = {
  id: 'account',
  why: 'Commands run as root of this machine, without capabilities',
  fix: 'Run Signalbox as an ordinary user',
};
const MASKS: WeakPoint = {
  id: 'masks',
  why: `The workspace has over ${MAX_FOLDERS} folders: secrets in the last ones are not masked`,
  fix: null,
};

function otherHomes(accounts: string): WeakPoint {
  const why = `The list of accounts "${accounts}" can't be read: homes of other people are not masked`;
  return { id: 'homes of others', why, fix: null };
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether the workspace has more than `max` folders, counting those that are scanned. */
export async function isLarger(workspace: string, max: number): Promise<boolean> {
  const waiting = [workspace];
  for (const folder of waiting) {
    if (waiting.length > max) return true;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries)
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) waiting.push(join(folder, entry.name));
  }
  return false;
}
