import { type Effect, isBuilt, isWithin, type Tool, type Verdict } from '@signalbox/core';
import { commandsOf } from '@signalbox/policy';

/** Each costs a look-up on the disk. */
const MAX_PATHS = 10;

/** They look whether something exists, remove it if so, or make it. */
const LOOKS: ReadonlySet<string> = new Set(
  (
    'test [ [[ ls stat file find fd which type command rm rmdir git mkdir touch ln realpath readlink ' +
    'nano vi vim nvim emacs ed ex code sqlite3'
  ).split(' '),
);
/** Writes and reads that can't be known before the call has run. */
const OPEN: ReadonlySet<Effect['kind']> = new Set(['write-unknown', 'repository-code', 'process']);
/** Other words of a line may be text that only looks like an operand. */
const WRITTEN_PATH = /^(?=.*[./])[\p{L}\p{N}_@+,=./-]+$/u;
/** A model may well try whether a project has these. */
const USUAL =
  /^(?:readme|license|changelog|contributing|makefile|dockerfile|package(?:-lock)?\.json|pnpm-lock\.yaml|yarn\.lock|tsconfig\.json|jsconfig\.json|pyproject\.toml|setup\.(?:py|cfg)|requirements\.txt|tox\.ini|cargo\.(?:toml|lock)|go\.(?:mod|sum)|gemfile|composer\.json|pom\.xml|build\.gradle|agents\.md|claude\.md|gemini\.md|docker-compose\.ya?ml|compose\.ya?ml)/i;

/**
 * Paths that must exist for the call to make sense, relative to the workspace. Empty where that is not certain: a line
 * that looks whether a file exists, or that may create it.
 */
export function namedPaths(
  { tool, line }: { readonly tool: Pick<Tool, 'shellLine'>; readonly line: string | null },
  { effects }: Pick<Verdict, 'effects'>,
): readonly string[] {
  if (tool.shellLine !== undefined && !isPlain(line ?? '', effects)) return [];
  const kinds: readonly Effect['kind'][] = tool.shellLine === undefined ? ['read', 'delete'] : ['read'];
  const paths = effects.flatMap((effect) => {
    const isNeeded = kinds.includes(effect.kind) && 'scope' in effect && effect.scope !== 'glob';
    if (!isNeeded || !isTelling(effect.path) || isCreated(effect.path, effects)) return [];
    return tool.shellLine === undefined || WRITTEN_PATH.test(effect.path) ? [effect.path] : [];
  });
  return [...new Set(paths)].slice(0, MAX_PATHS);
}

/** Whether an effect may create the path. */
export function mayCreate(effect: Effect, path: string): boolean {
  if (OPEN.has(effect.kind)) return true;
  if (effect.kind !== 'write') return false;
  if (effect.scope === 'glob') return true;
  return effect.path === path || isWithin(path, effect.path) || isWithin(effect.path, path);
}

function isCreated(path: string, effects: readonly Effect[]): boolean {
  return effects.some((effect) => effect.kind === 'write' && mayCreate(effect, path));
}

function isPlain(line: string, effects: readonly Effect[]): boolean {
  const read = commandsOf(line);
  if (read === null || !read.isPlain || line.includes('||') || line.includes('/dev/null')) return false;
  // A single program reads its operands before it can have created them.
  if (read.commands.length > 1 && effects.some(({ kind }) => OPEN.has(kind))) return false;
  return read.commands.every(({ program }) => program !== null && !LOOKS.has(program));
}

/** Inside the workspace, neither hidden nor built nor one of the usual names. */
function isTelling(path: string): boolean {
  if (path === '.' || /^[~/]/.test(path) || isBuilt(path)) return false;
  const segments = path.split('/');
  return !segments.some((name) => name.startsWith('.')) && !USUAL.test(segments.at(-1) ?? '');
}
