import { type Effect, type Files, nearestWord, ToolFailure } from '@signalbox/core';
import { below, type NeededPart } from '@signalbox/policy';
import { failureOf, type InVain } from './in-vain.ts';

/** Of one folder. */
const MAX_NAMES = 1000;

/** `./x.sh` that is not there, or is a folder. */
export async function missingScript(
  part: NeededPart,
  {
    files,
    isDenied,
  }: { readonly files: Pick<Files, 'stat' | 'list'>; readonly isDenied: (path: string) => boolean },
): Promise<InVain | undefined> {
  const { program, cwd } = part;
  // Behind a link `..` leads elsewhere, and the folder itself may be one.
  const isPlain = program.includes('/') && !program.split('/').includes('..');
  const path = cwd === null || !isPlain ? null : below(cwd, program);
  // Whether a hidden file is there is hidden, too.
  if (path === null || isDenied(path)) return undefined;
  const found = await unless(files.stat(path));
  if (found === undefined || (found !== null && found.kind !== 'directory')) return undefined;
  const why =
    found === null ? `there is no file ${JSON.stringify(program)}` : `${JSON.stringify(program)} is a folder`;
  const meant = found === null ? await nearestBeside(path, files) : undefined;
  const written =
    meant === undefined ? undefined : `${program.slice(0, program.lastIndexOf('/') + 1)}${meant}`;
  const guess = written === undefined ? '' : `; did you mean ${JSON.stringify(written)}?`;
  return {
    failure: failureOf(part, {
      code: found === null ? 'not-found' : 'not-a-file',
      verb: 'run',
      why: `${why}${guess}`,
      suggestion:
        'Look with list_directory or search_files, and give the path from the folder that the line runs in',
    }),
    mayChange: (verdict) => verdict?.effects.some((effect) => mayMake(effect, path)) === true,
    mayBePrepared: true,
  };
}

/** Undefined for what can't be looked at, and of no guess either: a link, a hidden folder. */
async function unless<Answer>(looking: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof ToolFailure) return undefined;
    throw error;
  }
}

async function nearestBeside(path: string, files: Pick<Files, 'list'>): Promise<string | undefined> {
  const at = path.lastIndexOf('/') + 1;
  const listed = await unless(files.list(path.slice(0, Math.max(0, at - 1)) || '.', { limit: MAX_NAMES }));
  const names = (listed?.entries ?? [])
    .filter(({ kind }) => kind === 'file')
    .map((entry) => entry.path.slice(at));
  return nearestWord(path.slice(at), names);
}

function mayMake(effect: Effect, path: string): boolean {
  if (effect.kind !== 'write') return false;
  return effect.scope !== 'file' || effect.path === path;
}
