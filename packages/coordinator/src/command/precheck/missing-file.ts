import { type Effect, type Files, nearestWord, ToolFailure } from '@signalbox/core';
import { below, type RequiredPart } from '@signalbox/policy';
import { failureOf, type NoEffect } from './without-effect.ts';

/** Per folder. */
const MAX_NAMES = 1000;

type Lookup = {
  readonly files: Pick<Files, 'stat' | 'list'>;
  readonly isDenied: (path: string) => boolean;
};

/** A missing `./x.sh`, or a missing `list` in `xargs rm < list`; a folder can't be run either. */
export async function missingFile(part: RequiredPart, parts: Lookup): Promise<NoEffect | undefined> {
  const { program, inputs } = part;
  // The shell opens input files before it looks for the command.
  for (const input of inputs) {
    const found = await missingAt(input, part, parts);
    if (found !== undefined) return found;
  }
  return program.includes('/') ? missingAt(program, part, parts) : undefined;
}

async function missingAt(
  written: string,
  part: RequiredPart,
  { files, isDenied }: Lookup,
): Promise<NoEffect | undefined> {
  // Behind a link `..` leads elsewhere, and the folder itself may be a link.
  const isPlain = !written.split('/').includes('..');
  const path = part.cwd === null || !isPlain ? null : below(part.cwd, written);
  // Whether a hidden file exists is hidden too.
  if (path === null || isDenied(path)) return undefined;
  const found = await unless(files.stat(path));
  const isRun = written === part.program;
  if (found === undefined || (found !== null && (found.kind !== 'directory' || !isRun))) return undefined;
  const why =
    found === null ? `there is no file ${JSON.stringify(written)}` : `${JSON.stringify(written)} is a folder`;
  const meant = found === null ? await nearestBeside(path, files) : undefined;
  const guessed =
    meant === undefined ? undefined : `${written.slice(0, written.lastIndexOf('/') + 1)}${meant}`;
  const guess = guessed === undefined ? '' : `; did you mean ${JSON.stringify(guessed)}?`;
  return {
    failure: failureOf(part, {
      code: found === null ? 'not-found' : 'not-a-file',
      verb: 'run',
      why: `${why}${guess}`,
      suggestion:
        'Look with list_directory or search_files, and give the path relative to the folder where the line runs',
    }),
    mayChange: (verdict) => verdict?.effects.some((effect) => mayMake(effect, path)) === true,
    mayBePrepared: true,
  };
}

/** Undefined for a path that can't be checked or guessed about: a link, a hidden folder. */
async function unless<Answer>(lookup: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await lookup;
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
