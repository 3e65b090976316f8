import type { Access, Settings } from '@signalbox/core';
import {
  type AllowList,
  createAllowList,
  createDenyList,
  type DenyList,
  type PathListScope,
} from './paths/path-list.ts';
import type { PathContext } from './paths/path-location.ts';
import { type NamedTool, toolPolicyOf } from './tool-settings.ts';

export type EffectLists = {
  readonly forbidden: DenyList;
  readonly allowed: readonly AllowList[];
  readonly hints: readonly string[];
};
/** One access of a call to a path. */
export type PathAccess = {
  readonly access: Access;
  readonly path: string;
  readonly scope: PathListScope;
  readonly isDelete?: boolean;
};

/** The path lists that settings give a tool, and those that apply to its effects. */
export function createEffectLists(
  settings: Settings,
  pathContext: PathContext,
): {
  /** A file tool's lists restrict its effect: they apply to every call with that effect, a shell line too. */
  listsFor(touch: PathAccess, tool: NamedTool): EffectLists;
  listsOf(...tools: readonly NamedTool[]): EffectLists;
} {
  const listsByTool = new Map<string, EffectLists>();
  return { listsFor, listsOf };

  function listsFor(touch: PathAccess, tool: NamedTool): EffectLists {
    // Denied paths below a folder that is read are not named by the call.
    const isVague = touch.access === 'read' && touch.scope !== 'file';
    if (isVague || FILE_TOOLS.has(tool.name)) return listsOf(tool);
    const others = EFFECT_TOOLS[effectOf(touch)].filter((name) =>
      Object.hasOwn(settings.tools.policies, name),
    );
    return listsOf(tool, ...others.map((name) => ({ name, aliases: [] })));
  }

  function listsOf(...tools: readonly NamedTool[]): EffectLists {
    const key = tools.map(({ name }) => name).join(' ');
    const known = listsByTool.get(key);
    if (known !== undefined) return known;
    const policies = tools.map((tool) => toolPolicyOf(tool, settings));
    const own = policies.flatMap(({ allowed_paths }) => (allowed_paths === undefined ? [] : [allowed_paths]));
    const workspaceWide = settings.sandbox.allowed_paths;
    const lists = {
      forbidden: createDenyList(
        policies.flatMap(({ forbidden_paths }) => forbidden_paths),
        pathContext,
      ),
      allowed: [workspaceWide, ...own].map((patterns) => createAllowList(patterns, pathContext)),
      hints: own[0] ?? workspaceWide,
    };
    listsByTool.set(key, lists);
    return lists;
  }
}

/** The file tools whose settings apply to an effect; deleting is a way of changing. */
const EFFECT_TOOLS: Readonly<Record<'read' | 'write' | 'delete', readonly string[]>> = {
  read: ['read_file'],
  write: ['write_file'],
  delete: ['write_file', 'delete_file'],
};
const FILE_TOOLS: ReadonlySet<string> = new Set(['read_file', 'write_file', 'edit_file', 'delete_file']);
/** For a call that may write anything. */
export const ANY_WRITE: PathAccess = { access: 'write', path: '.', scope: 'tree', isDelete: true };

function effectOf({ access, isDelete }: PathAccess): keyof typeof EFFECT_TOOLS {
  return isDelete === true ? 'delete' : access;
}
