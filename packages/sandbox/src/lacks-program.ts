import { readdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { type Executor, isWithin, nearestWord } from '@signalbox/core';
import { stands } from './stands.ts';

/** Shorter names are one letter from many others. */
const SHORTEST = 4;
/** From here on two letters may be wrong. */
const LONG = 8;
const MAX_FOLDERS = 20;

/** Whether no folder of `path` holds such a name; false in every case of doubt. */
export async function lacksProgram(
  program: string,
  {
    path,
    home,
    workspace,
  }: {
    readonly path: string;
    readonly home: string;
    /** Absolute and real. */
    readonly workspace: string;
  },
): ReturnType<NonNullable<Executor['lacks']>> {
  const folders = path.split(':');
  // A relative one depends on where the line runs.
  if (path === '' || !folders.every((folder) => isAbsolute(folder))) return false;
  const found = await Promise.all(folders.map((folder) => stands(join(folder, program))));
  if (found.includes(true)) return false;
  // Commands see little of the home, so nothing of it is named.
  const open = folders.filter((folder) => folder !== home && !folder.startsWith(`${home}/`));
  return {
    meant: await nearestProgram(program, open.slice(0, MAX_FOLDERS)),
    mayBeMade: (await Promise.all(folders.map(realFolder))).some((folder) => isWithin(folder, workspace)),
  };
}

/** Where it leads; a folder that isn't there yet may be made as it is written. */
async function realFolder(folder: string): Promise<string> {
  return realpath(folder).catch(() => normalize(folder));
}

async function nearestProgram(program: string, folders: readonly string[]): Promise<string | undefined> {
  if (program.length < SHORTEST) return undefined;
  const names = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return nearestWord(program, new Set(names.flat()), program.length < LONG ? 1 : 2);
}
