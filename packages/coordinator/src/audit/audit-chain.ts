import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** `audit.000001.jsonl` is the first archive of `audit.jsonl`. */
const ARCHIVE = /^(.+)\.(\d{6,15})\.jsonl$/;
const LOG = '.jsonl';

/** The archives of a log, oldest first. */
export function archivesOf(file: string): readonly string[] {
  const folder = dirname(file);
  const stem = basename(file, LOG);
  return namesIn(folder)
    .flatMap((name) => {
      const [, of, number] = ARCHIVE.exec(name) ?? [];
      return of === stem ? [{ name, number: Number(number) }] : [];
    })
    .toSorted((one, other) => one.number - other.number)
    .map(({ name }) => join(folder, name));
}

/** The files of one chain: the archives of a log, oldest first, then the log itself if it exists. */
export function chainOf(file: string): readonly string[] {
  return [...archivesOf(file), ...(existsSync(file) ? [file] : [])];
}

/** The name of the next archive of a log. */
export function nextArchiveOf(file: string): string {
  const last = archivesOf(file).at(-1);
  const number = last === undefined ? 0 : Number(ARCHIVE.exec(basename(last))?.[2]);
  return `${file.slice(0, -LOG.length)}.${String(number + 1).padStart(6, '0')}${LOG}`;
}

/** The logs in a folder, without archives. Includes a log of which a crash during rotation left only the archives. */
export function logsIn(folder: string): readonly string[] {
  const names = namesIn(folder)
    .filter((name) => name.endsWith(LOG))
    .map((name) => {
      const stem = ARCHIVE.exec(name)?.[1];
      return stem === undefined ? name : `${stem}${LOG}`;
    });
  return [...new Set(names)].toSorted().map((name) => join(folder, name));
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
