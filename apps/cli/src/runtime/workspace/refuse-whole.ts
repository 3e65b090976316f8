import { UsageError } from '@signalbox/core';
import { quoteWord } from '../../terminal/quote-word.ts';
import { isWorkspace, realHome } from './find-workspace.ts';

/** Folders of the operating system: neither they nor anything in them can be a workspace. */
const SYSTEM =
  /^\/(?:(?:usr\/)?(?:bin|lib|lib32|lib64|libx32|sbin)|usr\/(?:include|libexec)|boot|dev(?!\/shm\/.)|proc|sys|System)(?:\/|$)/;

/** Shared by many programs or accounts: a folder in one of them can be a workspace. */
const SHARED =
  /^\/(?:Applications|etc|home|Library|root|run|tmp|Users|usr|usr\/local|usr\/share|usr\/src|var|var\/tmp)$/;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Home is led only if the user made it a workspace; a system folder never.
 *
 * @param directory absolute, without links
 * @throws {UsageError} `not-a-workspace`
 */
export function refuseWhole(directory: string, env: Environment): void {
  refuseSystem(directory, env);
  if (directory !== realHome(env) || isWorkspace(directory)) return;
  throw refused(directory, {
    why: 'it is your home folder',
    next: [`signalbox init ${quoteWord(directory)}   if you mean all of it`],
  });
}

/** @throws {UsageError} `not-a-workspace` for a folder that can't even be made a workspace */
export function refuseSystem(directory: string, env: Environment): void {
  if (directory === '/') throw refused(directory, { why: 'it is the whole machine' });
  if (SYSTEM.test(directory)) throw refused(directory, { why: 'it belongs to the operating system' });
  if (SHARED.test(directory) && directory !== realHome(env)) {
    throw refused(directory, { why: 'programs and other accounts use it, too' });
  }
}

function refused(
  directory: string,
  { why, next = [] }: Readonly<{ why: string; next?: readonly string[] }>,
): UsageError {
  return new UsageError('not-a-workspace', `Cannot work in "${directory}": ${why}`, {
    next: ['cd into a project', '-C DIR   works there', ...next],
  });
}
