import { type Access, ToolFailure } from '@signalbox/core';
import type { IsDenied } from '../denials/default-denials.ts';

/**
 * Converts a path to the form of effects and leases: relative to the workspace, normalised, `.` for the
 * workspace itself.
 *
 * Links are not resolved here: files are opened without following any.
 *
 * @throws {ToolFailure} `path_not_allowed` when it leaves the workspace
 */
export function normalisePath(path: string, workspace: string): string {
  if (path === '') throw notAllowed(path, 'it is empty');
  if (path.includes('\0')) throw notAllowed(path, 'it contains a NUL');
  if (!path.isWellFormed()) throw notAllowed(path, 'it is not well-formed Unicode');
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) throw notAllowed(path.slice(0, 80), 'it is too long');
  const relative = path.startsWith('/') ? insideOf(path, workspace) : path;
  const segments: string[] = [];
  for (const segment of relative.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) throw notAllowed(path, 'it leads out of the workspace');
  }
  return segments.length === 0 ? '.' : segments.join('/');
}

/** PATH_MAX of Linux. */
const MAX_PATH_BYTES = 4096;

/** Compared segment by segment: `/repo-evil` is not inside `/repo`. */
function insideOf(path: string, workspace: string): string {
  const own = workspace.split('/');
  const segments = path.split('/');
  if (own.some((segment, index) => segments[index] !== segment)) {
    throw notAllowed(path, 'it is outside the workspace');
  }
  return segments.slice(own.length).join('/');
}

/** @throws {ToolFailure} `path_not_allowed` for a denied path */
export function refuseDenied(path: string, access: Access, isDenied: IsDenied): void {
  if (isDenied(path, access)) throw notAllowed(path, `policy denies ${access} access to it`);
}

export function notAllowed(path: string, why: string): ToolFailure {
  return new ToolFailure({
    code: 'path_not_allowed',
    category: 'PolicyBlocked',
    message: `Cannot use "${path.replaceAll('\0', '\\0')}": ${why}`,
  });
}
