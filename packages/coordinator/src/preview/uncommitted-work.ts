import {
  type CommandRecord,
  type CommandStore,
  type Inspector,
  type PreviewPart,
  SignalboxError,
} from '@signalbox/core';
import { TAKES_UNTRACKED, TAKES_WORK } from '@signalbox/policy';

/** Commands searched for the last writer of a file; older work counts as written by people. */
const MAX_COMMANDS = 500;
const MAX_NAMED = 3;
const MAX_OWNERS = 5;

/**
 * The uncommitted files that a call may discard, and who wrote each last: the session itself, a provider, or people and
 * their programs. None for a call that discards no such work.
 */
export async function uncommittedWork(
  { verdict, context }: Pick<CommandRecord, 'verdict' | 'context'>,
  {
    inspector,
    store,
  }: { readonly inspector: Pick<Inspector, 'commit'>; readonly store: Pick<CommandStore, 'list'> },
): Promise<readonly PreviewPart[]> {
  const codes = new Set(verdict?.reasons.map(({ code }) => code));
  const takesChanges = codes.has(TAKES_WORK);
  if (verdict === null || !(takesChanges || codes.has(TAKES_UNTRACKED))) return [];
  try {
    const all = await inspector.commit({ cwd: '.', isAll: false, isAmend: false, only: [], added: [':/'] });
    const files = all.files.filter(
      ({ path }) =>
        !path.startsWith('.signalbox/') &&
        isTaken(path, verdict.effects) &&
        (takesChanges || all.patch.includes(`diff --git a/${path} b/${path}\nnew file mode`)),
    );
    if (files.length === 0) return [];
    const isWhole = files.length === all.files.length;
    const owners = await ownersOf(
      files.map(({ path }) => path),
      { store, asker: context },
    );
    return [
      {
        kind: 'diff',
        heading: `Uncommitted work: ${inWords(owners)}`,
        files,
        fileCount: isWhole ? all.fileCount : files.length,
        patch: isWhole ? all.patch : '',
        isCut: isWhole && all.isCut,
      },
    ];
  } catch (error) {
    const why = error instanceof SignalboxError ? error.message : 'of a Signalbox bug';
    return [{ kind: 'unavailable', what: 'whose uncommitted work it removes', why }];
  }
}

function isTaken(path: string, effects: NonNullable<CommandRecord['verdict']>['effects']): boolean {
  return effects.some((effect) => {
    if (effect.kind === 'write-unknown') return true;
    if (effect.kind !== 'write' && effect.kind !== 'delete') return false;
    return (
      effect.path === '.' ||
      effect.scope === 'glob' ||
      path === effect.path ||
      path.startsWith(`${effect.path}/`)
    );
  });
}

async function ownersOf(
  paths: readonly string[],
  { store, asker }: { readonly store: Pick<CommandStore, 'list'>; readonly asker: CommandRecord['context'] },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const writers = new Map<string, string>();
  for (const { context, result } of await store.list({ limit: MAX_COMMANDS }))
    for (const { path, kind } of result?.files ?? [])
      if (kind !== 'read' && !writers.has(path)) writers.set(path, ownerName(context, asker));
  const owners = new Map<string, readonly string[]>();
  for (const path of paths) {
    const owner = writers.get(path) ?? 'by hand';
    owners.set(owner, [...(owners.get(owner) ?? []), path]);
  }
  return owners;
}

function ownerName(
  { provider, sessionId }: CommandRecord['context'],
  asker: CommandRecord['context'],
): string {
  if (sessionId === asker.sessionId) return 'its own';
  return provider === asker.provider ? `${provider}, another session` : provider;
}

/** `src/a.ts (its own), src/b.ts (openai); notes.md (by hand)` */
function inWords(owners: ReadonlyMap<string, readonly string[]>): string {
  const all = [...owners].map(([owner, paths]) => {
    const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
    return `${paths.slice(0, MAX_NAMED).join(', ')}${more} (${owner})`;
  });
  const more = all.length > MAX_OWNERS ? `; and of ${all.length - MAX_OWNERS} more` : '';
  return `${all.slice(0, MAX_OWNERS).join('; ')}${more}`;
}
