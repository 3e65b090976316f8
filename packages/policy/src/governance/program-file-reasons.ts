import {
  type Effect,
  type Level,
  type NamedFiles,
  type ProgramFile,
  programFileAt,
  programFilesBelow,
  type Reason,
} from '@signalbox/core';

/** Reason codes for files that the user's programs read as settings or code, by their grade. */
const CODES = { refused: 'connected-settings', dangerous: 'program-settings', asks: 'program-file' } as const;
const LEVELS: Readonly<Record<ProgramFile['grade'], Level>> = {
  refused: 'blocked',
  dangerous: 'dangerous',
  asks: 'warning',
};

/**
 * Reasons for the approval of a call that would change files that the user's programs read as settings or code: one for
 * each such path in its effects. A formatter that writes below a folder names none of them; what it really wrote is
 * checked when its files are committed.
 *
 * @param namedFiles called if something is changed at all: it may read files.
 */
export function programFileReasons(
  effects: readonly Effect[],
  namedFiles?: () => NamedFiles | undefined,
): readonly Reason[] {
  let named: NamedFiles | undefined;
  return effects.flatMap((effect) => {
    if (effect.kind !== 'write' && effect.kind !== 'delete') return [];
    const { path, scope, kind } = effect;
    if (path.startsWith('/') || path.startsWith('~')) return [];
    named ??= namedFiles?.();
    const isWhole = scope === 'tree' && (kind === 'delete' || path !== '.');
    const found = isWhole ? programFilesBelow(path, named) : programFileAt(path, named);
    if (found === undefined) return [];
    const level = LEVELS[found.grade];
    return [{ level, code: CODES[found.grade], text: `${kind}s ${path}, read by ${found.readBy}` }];
  });
}

/** Whether the call needs approval whatever lists and switches say, until a user rule lifts it. */
export function changesProgramFile(reasons: readonly Reason[]): boolean {
  return reasons.some(({ code }) => code === CODES.asks);
}

/** The approval reason of such a call. */
export function programFileText(reasons: readonly Reason[]): string {
  const texts = reasons.flatMap(({ code, text }) => (code === CODES.asks ? [text] : []));
  return texts.join('; ');
}
