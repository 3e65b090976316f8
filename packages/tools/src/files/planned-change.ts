import { type Files, hunkHead, type PlannedStep, quotedPath, ToolFailure } from '@signalbox/core';
import { structuredPatch } from 'diff';

/** Larger texts get no diff beforehand. */
const MAX_BYTES = 256 * 1024;
/** Bounds on changed lines and milliseconds: a hostile pair of texts must not block the coordinator. */
const MAX_EDITS = 2000;
const MAX_DIFF_MS = 100;

type Deed = Extract<PlannedStep, { kind: 'change' }>['deed'];

/**
 * Plans a write as a patch.
 *
 * @param after Computes the new text from the current one, or null if there is no file. A string is the reason
 * why it can't.
 */
export async function planChange(
  given: string,
  { files }: { readonly files: Pick<Files, 'normalise' | 'readText'> },
  change: { readonly deed: Deed; readonly after: (before: string | null) => { text: string } | string },
): Promise<PlannedStep> {
  const path = files.normalise(given);
  const before = await textAt(path, files);
  const deed = change.deed === 'overwrite' && before === null ? 'create' : change.deed;
  if (before !== null && typeof before !== 'string') return noPlan(deed, { path, why: before.why });
  const after = change.after(before);
  if (typeof after === 'string') return noPlan(deed, { path, why: after });
  if (after.text.length > MAX_BYTES)
    return noPlan(deed, { path, why: 'the new text is longer than 256 KiB' });
  const patch = structuredPatch('', '', before ?? '', after.text, '', '', {
    context: 3,
    timeout: MAX_DIFF_MS,
    maxEditLength: MAX_EDITS,
  });
  if (patch === undefined)
    return noPlan(deed, { path, why: 'the two texts differ in more than 2,000 lines' });
  const rows = patch.hunks.flatMap(({ lines, ...hunk }) => [hunkHead(hunk), ...lines]);
  const count = (sign: string): number => rows.filter((row) => row.startsWith(sign)).length;
  const names = [before === null ? '/dev/null' : quotedPath(`a/${path}`), quotedPath(`b/${path}`)];
  return {
    kind: 'change',
    deed,
    path,
    added: count('+'),
    removed: count('-'),
    patch: [`--- ${names[0]}`, `+++ ${names[1]}`, ...rows].join('\n'),
  };
}

async function textAt(
  path: string,
  files: Pick<Files, 'readText'>,
): Promise<string | null | { readonly why: string }> {
  try {
    return (await files.readText(path, { maxBytes: MAX_BYTES })).text;
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return error.code === 'not-found' ? null : { why: error.message };
  }
}

const VERBS = { create: 'Create', overwrite: 'Overwrite', edit: 'Edit', delete: 'Delete' } as const;

function noPlan(deed: Deed, { path, why }: Readonly<{ path: string; why: string }>): PlannedStep {
  return { kind: 'no-plan', deed: `${VERBS[deed]} ${path}`, why };
}
