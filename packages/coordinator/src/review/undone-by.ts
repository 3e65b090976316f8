import { type CommandId, CommandId as CommandIdSchema, type CommandRecord } from '@signalbox/core';
import * as z from 'zod';
import { withoutHunks } from './hunks-of.ts';

/** What is undone of a change: all of it, some of its hunks, or nothing. */
export type Undone = 'all' | 'part' | 'nothing';

/** @param all Commands, newest first, including undos. */
export function undoneBy(
  all: readonly CommandRecord[],
): (command: CommandId, change: { readonly path: string; readonly patch: string }) => Undone {
  const isUndone = undonePaths(all);
  const hunksUndone = undoneHunks(all);
  return (command, { path, patch }) => {
    if (isUndone(command, path)) return 'all';
    const hunks = hunksUndone(command, path);
    if (hunks.size === 0) return 'nothing';
    return withoutHunks(patch, hunks).isEmpty ? 'all' : 'part';
  };
}

/** For commands, newest first: which files were restored by an undo that was not undone itself. */
export function undonePaths(all: readonly CommandRecord[]): (command: CommandId, path: string) => boolean {
  const undone = new Set<string>();
  const keyOf = (command: string, path: string): string => `${command} ${path}`;
  for (const { id, call, result } of all) {
    if (call.tool !== 'undo' || result?.outcome.kind !== 'completed' || isOfHunk(call)) continue;
    const target = CommandIdSchema.safeParse(call.args['command']);
    const paths = Array.isArray(call.args['paths']) ? call.args['paths'] : [];
    if (!target.success) continue;
    for (const path of paths) {
      if (typeof path !== 'string' || undone.has(keyOf(id, path))) continue;
      undone.add(keyOf(target.data, path));
    }
  }
  return (command, path) => undone.has(keyOf(command, path));
}

const HunkUndo = z.object({ command: CommandIdSchema, paths: z.tuple([z.string()]), hunk: z.string() });

/** Which hunks of a change were undone by an undo that was not undone itself. */
export function undoneHunks(
  all: readonly CommandRecord[],
): (command: CommandId, path: string) => ReadonlySet<string> {
  const isUndone = undonePaths(all);
  const undone = all.flatMap(({ id, call, result }) => {
    const { data } = HunkUndo.safeParse(call.args);
    if (call.tool !== 'undo' || data === undefined || result?.outcome.kind !== 'completed') return [];
    const { command, hunk, paths } = data;
    return isUndone(id, paths[0]) ? [] : [{ command, path: paths[0], hunk }];
  });
  return (command, path) =>
    new Set(undone.filter((one) => one.command === command && one.path === path).map(({ hunk }) => hunk));
}

export function isOfHunk({ tool, args }: CommandRecord['call']): boolean {
  return tool === 'undo' && typeof args['hunk'] === 'string';
}
