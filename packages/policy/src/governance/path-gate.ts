import type { Access, Effect, Settings } from '@signalbox/core';
import { fixedBeginning, isInOwnFolder } from '../shell/paths/own-folders.ts';
import { type AllowList, createAllowList, createDenyList, type DenyList } from './paths/path-list.ts';
import { ANY_WRITE, createEffectLists, type PathAccess } from './effect-lists.ts';
import { type PathContext, type PathLocation, locatePath } from './paths/path-location.ts';
import { isHarmlessDevice, isProtected, PROTECTED_PATHS } from './paths/protected-paths.ts';
import type { Question } from './question.ts';
import { type Ask, ask, type Deny, deny } from './rulings.ts';

export type PathGate = {
  /** Judges every path that a call names: outside, protected, deny lists, then allow lists (G3, X-08, X-09). */
  check(question: Question): Deny | Ask | undefined;
  /** What the sandbox and the file tools hide from everybody, whatever was approved; for paths of the workspace. */
  isDenied(path: string, access: Access): boolean;
};

type Inside = Extract<PathLocation, { kind: 'inside' }>;
export function createPathGate(settings: Settings, pathContext: PathContext): PathGate {
  const { deny_read, allow_read } = settings.tools.file;
  const denyRead = createDenyList(deny_read, pathContext);
  const allowRead = createAllowList(allow_read, pathContext);
  const places = createDenyList(PROTECTED_PATHS, pathContext);
  const { listsFor, listsOf } = createEffectLists(settings, pathContext);

  return {
    check(question) {
      let asks: Ask | undefined;
      for (const effect of question.verdict.effects) {
        const ruling = checkEffect(effect, question);
        if (ruling?.kind === 'deny') return ruling;
        asks ??= ruling;
      }
      return asks;
    },
    isDenied(path, access) {
      const location = locatePath(path, pathContext);
      if (location.kind === 'outside' || isProtected(location.path, access)) return true;
      return denyRead.find(location) !== undefined && access === 'read';
    },
  };

  function checkEffect(effect: Effect, question: Question): Deny | Ask | undefined {
    const touch = touchOf(effect);
    if (touch === undefined)
      return effect.kind === 'write-unknown' ? checkUnknownWrites(question) : undefined;
    const location = locatePath(touch.path, pathContext);
    return location.kind === 'outside'
      ? checkOutside(touch, location.absolute, question)
      : checkInside(touch, location, question);
  }

  function checkOutside(touch: PathAccess, absolute: string, question: Question): Deny | Ask | undefined {
    if (isHarmlessDevice(absolute)) return undefined;
    if (!isOwn(absolute, question)) return outside(touch);
    const lists = [...(touch.access === 'read' ? [denyRead] : []), listsFor(touch, question.tool).forbidden];
    for (const list of lists) {
      const hit = list.findOutside(fixedBeginning(absolute), touch.scope);
      if (hit !== undefined) return hit.certain ? forbiddenPath(touch, hit.pattern) : unclear(touch);
    }
    return undefined;
  }

  /** File tools work on the machine itself, whose folder of that name is shared. */
  function isOwn(absolute: string, { tool, sandboxed, ownFolders = [] }: Question): boolean {
    return (
      sandboxed && tool.shellLine !== undefined && isInOwnFolder(absolute, { ...pathContext, ownFolders })
    );
  }

  function checkInside(touch: PathAccess, location: Inside, question: Question): Deny | Ask | undefined {
    const base = touch.scope === 'glob' ? fixedDirectory(location, pathContext) : location;
    if (isProtected(base.path, touch.access)) return protectedPath(touch, base.path);
    const { forbidden, allowed, hints } = listsFor(touch, question.tool);
    const denied = (touch.access === 'read' ? denyRead.find(base) : undefined) ?? forbidden.find(base);
    if (denied !== undefined) return forbiddenPath(touch, denied);
    const isAdmitted = (list: AllowList): boolean =>
      touch.scope === 'file' ? list.admits(base) : list.admitsAllBelow(base);
    const isRead = touch.access === 'read' && allow_read.length > 0;
    const isListed = allowed.every(isAdmitted) && (!isRead || isReadable(touch, base, question));
    if (!isListed) return notListed(touch, isRead ? allow_read : hints);
    return touch.scope === 'file' ? undefined : checkBelow(touch, location, { base, question });
  }

  /** Of a directory the sandbox and the file tools show only what is listed. */
  function isReadable({ scope }: PathAccess, base: Inside, { sandboxed, tool }: Question): boolean {
    if (scope === 'file') return allowRead.admits(base);
    if (allowRead.admitsAllBelow(base)) return true;
    return (sandboxed || !tool.requiresSandbox) && allowRead.admitsSomeBelow(base);
  }

  /** A directory or a pattern may reach what a single path would not. */
  function checkBelow(
    touch: PathAccess,
    location: Inside,
    { base, question }: Readonly<{ base: Inside; question: Question }>,
  ): Deny | Ask | undefined {
    const { forbidden } = listsFor(touch, question.tool);
    const certain = (list: DenyList): string | undefined => {
      if (touch.scope === 'glob') return list.findMatched(location);
      const found = list.findBelow(base);
      return found?.certain === true ? found.pattern : undefined;
    };
    // A formatter that writes below `.` means its own files, and the sandbox restricts it to them; `rm -rf .` means
    // all.
    if (touch.isDelete === true) {
      const hit = certain(places);
      if (hit !== undefined) return protectedPath(touch, hit);
    }
    const hit = certain(forbidden);
    if (hit !== undefined) return forbiddenPath(touch, hit);
    if (forbidden.findBelow(base) !== undefined) return unclear(touch);
    // Paths denied to all are hidden by the sandbox, and left out by file tools that need none.
    const isHidden = question.sandboxed || (touch.access === 'read' && !question.tool.requiresSandbox);
    return isHidden ? undefined : unclear(touch);
  }

  function checkUnknownWrites({ tool, sandboxed, reversible = false }: Question): Ask | undefined {
    // In a transaction each written file is checked before any of them is committed.
    const { forbidden, allowed } = reversible ? listsOf(tool) : listsFor(ANY_WRITE, tool);
    const workspace: Inside = { kind: 'inside', path: '.', absolute: pathContext.workspace };
    const isFree = allowed.every((list) => list.admitsAllBelow(workspace)) && !forbidden.findBelow(workspace);
    return isFree && sandboxed ? undefined : ask('unclear-paths-ask');
  }
}

function touchOf(effect: Effect): PathAccess | undefined {
  switch (effect.kind) {
    case 'read':
      return { access: 'read', path: effect.path, scope: effect.scope };
    case 'secret':
      return { access: 'read', path: effect.path, scope: /[*?[\]]/.test(effect.path) ? 'glob' : 'file' };
    case 'write':
      return { access: 'write', path: effect.path, scope: effect.scope };
    case 'delete':
      return { access: 'write', path: effect.path, scope: effect.scope, isDelete: true };
    case 'write-unknown':
    case 'network':
    case 'process':
    case 'privilege':
    case 'repository-code':
    case 'resource':
      return undefined;
  }
}

/** The directory that a shell pattern begins with: `src/*.ts` → `src`. */
export function fixedDirectory(location: Inside, pathContext: PathContext): Inside {
  const segments = location.path.split('/');
  const wild = segments.findIndex((segment) => /[*?[\]{}()]/.test(segment));
  const fixed = wild < 0 ? segments : segments.slice(0, wild);
  // The beginning of an inside path is inside.
  return locatePath(`./${fixed.join('/')}`, pathContext) as Inside;
}

function outside(touch: PathAccess): Deny {
  return deny('path-outside', {
    code: 'path_not_allowed',
    message: `Cannot ${verbOf(touch)} "${touch.path}": it is outside the workspace`,
    suggestion: 'Use a path inside the workspace; no rule or approval can allow this one',
  });
}

function protectedPath(touch: PathAccess, what: string): Deny {
  return deny('protected-path', {
    code: 'path_not_allowed',
    message: `Cannot ${verbOf(touch)} "${touch.path}": ${what === touch.path ? 'it' : `"${what}"`} is protected`,
    suggestion: 'Do without it; no rule or approval can allow it',
  });
}

function forbiddenPath(touch: PathAccess, pattern: string): Deny {
  return deny('path-forbidden', {
    code: 'path_not_allowed',
    message: `Cannot ${verbOf(touch)} "${touch.path}": the settings deny "${pattern}"`,
    suggestion: 'Do without it, or ask the user to change the settings',
  });
}

function notListed(touch: PathAccess, hints: readonly string[]): Deny {
  const listed = hints.join(', ');
  return deny('path-not-listed', {
    code: 'path_not_allowed',
    message: `Cannot ${verbOf(touch)} "${touch.path}": the settings allow ${listed === '' ? 'no path' : `only ${listed}`}`,
    suggestion:
      listed === ''
        ? 'Work without files, or ask the user to change the settings'
        : `Use a path below ${listed}`,
  });
}

function unclear(touch: PathAccess): Ask {
  return ask('unclear-paths-ask', `"${touch.path}" may reach denied paths`);
}

function verbOf({ access, isDelete }: PathAccess): string {
  return isDelete === true ? 'delete' : access;
}
