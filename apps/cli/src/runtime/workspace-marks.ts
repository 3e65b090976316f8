import { linkSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createId,
  type JsonObject,
  type NodeRecord,
  type NodeId,
  type RandomBytes,
  UnavailableError,
  UsageError,
  WorkspaceId,
} from '@signalbox/core';
import { readStateFile } from './workspace/state-file.ts';

const ID_FILE = 'workspace-id';
const NODES_FOLDER = 'members';

/** The id of this tree, shared by all processes that see it and made by the first. */
export function workspaceId(folder: string, random: RandomBytes): WorkspaceId {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, ID_FILE);
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${createId('workspace', random)}\n`);
  try {
    // The first of several concurrent writers wins, and no reader sees half an id.
    linkSync(fresh, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
  return readWorkspaceId(folder);
}

/** @throws {UsageError} `no-workspace-id` in a folder where no coordinator ever ran */
export function readWorkspaceId(folder: string): WorkspaceId {
  let text: string | undefined;
  try {
    text = readStateFile(join(folder, ID_FILE))?.trim();
  } catch {
    text = undefined;
  }
  const parsed = WorkspaceId.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new UsageError('no-workspace-id', 'Cannot work in this folder: no coordinator uses this tree', {
    why: [
      text === undefined
        ? `there is no file .signalbox/${ID_FILE} in it`
        : `its file .signalbox/${ID_FILE} is damaged`,
    ],
    next: ['Start a coordinator there first: signalbox serve --redis URL', 'Or mount the same tree here'],
  });
}

/** The mark that a process leaves for itself. */
export function markOf(folder: string, id: NodeId): string {
  return join(folder, NODES_FOLDER, id);
}

/**
 * Leaves a mark in the tree, so that other processes can tell that this one works in the same tree.
 *
 * @param identity Distinguishes this process from a later one with the same pid.
 */
export function leaveMark(folder: string, id: NodeId, identity: JsonObject): void {
  mkdirSync(join(folder, NODES_FOLDER), { recursive: true, mode: 0o700 });
  writeFileSync(markOf(folder, id), `${JSON.stringify(identity)}\n`);
}

export function removeMark(folder: string, id: NodeId): void {
  rmSync(markOf(folder, id), { force: true });
}

/** Ids of the nodes whose processes have a mark in this tree. */
export function marksIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(join(folder, NODES_FOLDER)));
  } catch {
    return new Set();
  }
}

/**
 * Checks that this process sees the tree in which the other nodes work, not a copy.
 *
 * @throws {UnavailableError} `other-tree`
 */
export function checkSameTree(folder: string, living: readonly NodeRecord[]): void {
  const seen = marksIn(folder);
  const unseen = living.find(({ id }) => !seen.has(id));
  if (unseen === undefined) return;
  throw new UnavailableError('other-tree', 'Cannot work in this folder: the others use a different tree', {
    why: [
      `${unseen.kind} ${unseen.id} works on "${unseen.host}", and its mark is not visible here`,
      'a copy of a workspace has the same id, but different files',
    ],
    next: ['Mount the same tree here', `Or make the copy a workspace of its own: rm .signalbox/${ID_FILE}`],
  });
}

/** Longer than any start takes: a process with a mark that is not registered yet keeps its mark. */
const STARTING_MS = 600_000;

/**
 * Removes the marks of ended processes.
 *
 * @param options.own The mark of this process, just written: its time is "now" on the clock of the file system, and the
 * age of the other marks is counted from it.
 */
export async function sweepMarks(
  folder: string,
  options: {
    readonly own: NodeId;
    readonly known: readonly NodeRecord[];
    /** Whether the process with that identity has ended, as far as this machine can tell. */
    readonly hasEnded: (identity: unknown) => Promise<boolean>;
  },
): Promise<void> {
  const known = new Set<string>(options.known.map(({ id }) => id));
  const now = statSync(markOf(folder, options.own)).mtimeMs;
  for (const name of readdirSync(join(folder, NODES_FOLDER))) {
    if (known.has(name)) continue;
    const mark = join(folder, NODES_FOLDER, name);
    const age = now - (statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? now);
    if (age > STARTING_MS || (await options.hasEnded(identityIn(mark)))) rmSync(mark, { force: true });
  }
}

function identityIn(mark: string): unknown {
  try {
    return JSON.parse(readStateFile(mark) ?? '');
  } catch {
    return null;
  }
}
