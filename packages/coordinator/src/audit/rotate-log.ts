import { closeSync, constants, fstatSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { nextArchiveOf } from './audit-chain.ts';

const FRESH =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Turns the log open as `fd` into an archive and returns an empty log in its place. A kill at any point leaves every
 * line under one name: the log's or the archive's. If it throws, nothing has changed.
 */
export function rotateLog(file: string, fd: number): number {
  if (statSync(file).ino !== fstatSync(fd).ino) throw new Error('another file is in its place');
  const next = `${file}.next`;
  const archive = nextArchiveOf(file);
  // An archive is never written again, so it must be on the disk.
  fsyncSync(fd);
  rmSync(next, { force: true });
  const fresh = openSync(next, FRESH, 0o600);
  try {
    renameSync(file, archive);
    try {
      renameSync(next, file);
    } catch (error) {
      renameSync(archive, file);
      throw error;
    }
  } catch (error) {
    closeSync(fresh);
    throw error;
  }
  closeSync(fd);
  syncFolder(dirname(file));
  return fresh;
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
