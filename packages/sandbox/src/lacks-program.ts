import { readdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { type Executor, nearestWord } from '@signalbox/core';
import { stands } from './stands.ts';

/** Shorter names are one letter from many others. */
const SHORTEST = 4;
/** From here on two letters may be wrong. */
const LONG = 8;
const MAX_FOLDERS = 20;

/** Whether no folder of `path` holds such a name; false in every case of doubt. */
export async function lacksProgram(
  program: string,
  { path, home }: { readonly path: string; readonly home: string },
): ReturnType<NonNullable<Executor['lacks']>> {
  const folders = path.split(':');
  // A relative one depends on where the line runs.
  if (path === '' || !folders.every((folder) => isAbsolute(folder))) return false;
  const found = await Promise.all(folders.map((folder) => stands(join(folder, program))));
  if (found.includes(true)) return false;
  // Commands see little of the home, so nothing of it is named.
  const open = folders.filter((folder) => folder !== home && !folder.startsWith(`${home}/`));
  return { meant: await nearestProgram(program, open.slice(0, MAX_FOLDERS)) };
}

async function nearestProgram(program: string, folders: readonly string[]): Promise<string | undefined> {
  if (program.length < SHORTEST) return undefined;
  const names = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return nearestWord(program, new Set(names.flat()), program.length < LONG ? 1 : 2);
}
