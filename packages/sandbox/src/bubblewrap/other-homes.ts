import { readFileSync } from 'node:fs';

/** The first uid of people; lower ones are services (`UID_MIN` of login.defs). */
const FIRST_PERSON = 1000;
const NOBODY = 65_534;
/** Some accounts have one of these as home. If masked, no program would run. */
const SHARED =
  /^\/(?:(?:home|root|usr|usr\/local|opt|srv|var|var\/lib|etc|bin|sbin|lib|lib64|dev|proc|sys|nonexistent)\/?)?$/;

/** Homes of people in the machine's list of accounts; empty without such a list. */
export function homesOfPeople(accounts: string): string[] {
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
