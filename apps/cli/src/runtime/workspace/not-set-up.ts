import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { SHARED_FILE } from './state-folder.ts';

/** A hint for a workspace that is not set up; empty if it is. */
export function notSetUp(directory: string): readonly Line[] {
  if (existsSync(join(directory, SHARED_FILE))) return [];
  return [
    line(
      muted(`no ${SHARED_FILE} in ${directory}: built-in settings and rules · `),
      as('accent', 'signalbox init'),
    ),
  ];
}
