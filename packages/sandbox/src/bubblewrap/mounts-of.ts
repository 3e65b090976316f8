import { readFileSync } from 'node:fs';
import { ownAccount } from '../account.ts';
import { defaultIsDenied } from '../denials/default-denials.ts';
import type { ExecutorOptions } from '../executor-options.ts';
import { createMounts } from './mounts.ts';

/** The first uid of people; lower ones are services (`UID_MIN` of login.defs). */
const FIRST_PERSON = 1000;
const NOBODY = 65_534;
/** Some accounts have one of these as home. If masked, no program would run. */
const SHARED =
  /^\/(?:(?:home|root|usr|usr\/local|opt|srv|var|var\/lib|etc|bin|sbin|lib|lib64|dev|proc|sys|nonexistent)\/?)?$/;

/** The mounts for commands and services in this executor's workspace. */
export function mountsOf(options: ExecutorOptions): ReturnType<typeof createMounts> {
  const {
    workspace,
    stateFolder,
    home,
    path,
    visible = [],
    certificates = {},
    isDenied = defaultIsDenied,
    namedFiles,
    readView,
  } = options;
  return createMounts({
    workspace,
    stateFolder,
    homes: [home, ownAccount().home ?? home],
    otherHomes: homesOfPeople(options.accounts ?? '/etc/passwd'),
    path,
    visible,
    certificates: Object.values(certificates),
    gitConfig: `${stateFolder}/gitconfig`,
    isDenied,
    readView,
    ...(namedFiles === undefined ? {} : { namedFiles }),
  });
}

/** Homes of people in the machine's list of accounts; empty without such a list. */
function homesOfPeople(accounts: string): string[] {
  return linesOf(accounts).flatMap((line) => {
    const [, , id = '', , , home = ''] = line.split(':');
    const isPerson = Number(id) >= FIRST_PERSON && Number(id) !== NOBODY;
    return isPerson && home.startsWith('/') && !SHARED.test(home) ? [home] : [];
  });
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
}
