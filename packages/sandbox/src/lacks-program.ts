import { readdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { type Executor, isWithin, nearestWord } from '@signalbox/core';
import { mayExist } from './may-exist.ts';

/** Shorter names are one letter away from too many others. */
const SHORTEST = 4;
/** Names of this length may have two letters wrong. */
const LONG = 8;
const MAX_FOLDERS = 20;

/** Whether no folder of `path` has such a program. False when in doubt. */
export async function lacksProgram(
  program: string,
  {
    path,
    home,
    workspace,
  }: {
    readonly path: string;
    readonly home: string;
    /** Absolute path with links resolved. */
    readonly workspace: string;
  },
): ReturnType<NonNullable<Executor['lacks']>> {
  const folders = path.split(':');
  // A relative folder depends on where the line runs.
  if (path === '' || !folders.every((folder) => isAbsolute(folder))) return false;
  const found = await Promise.all(folders.map((folder) => mayExist(join(folder, program))));
  if (found.includes(true)) return false;
  // Commands see little of the home, so its programs are not suggested.
  const open = folders.filter((folder) => folder !== home && !folder.startsWith(`${home}/`));
  return {
    meant: await nearestProgram(program, open.slice(0, MAX_FOLDERS)),
    mayBeMade: (await Promise.all(folders.map(realFolder))).some((folder) => isWithin(folder, workspace)),
  };
}

/** Resolves links. A folder that doesn't exist may still be created, so its path is kept as written. */
async function realFolder(folder: string): Promise<string> {
  return realpath(folder).catch(() => normalize(folder));
}

async function nearestProgram(program: string, folders: readonly string[]): Promise<string | undefined> {
  if (program.length < SHORTEST) return undefined;
  const names = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return nearestWord(program, new Set(names.flat()), { bound: program.length < LONG ? 1 : 2 });
}
