import {
  type Effect,
  isGlob,
  isThisMachine,
  type McpServerSettings,
  type McpToolWords,
  type Tool,
} from '@signalbox/core';
import type { ListedTool } from './listed-tool.ts';

export type ToolTraits = Pick<Tool, 'category' | 'risk' | 'policy' | 'retryable'> & {
  readonly effects: readonly Effect[];
};

/**
 * Decides a tool's traits for the policy: from the user's settings of the tool, then of its server, otherwise
 * the worst the server could do. The server's own hints can only make it stricter, unless the user trusts them
 * (E8).
 */
export function traitsOf(
  { theirs, hints }: Pick<ListedTool, 'theirs' | 'hints'>,
  settings: McpServerSettings,
): ToolTraits {
  const own = Object.hasOwn(settings.tools, theirs) ? settings.tools[theirs] : undefined;
  const words: McpToolWords = { ...settings.words, ...statedTraits(own) };
  const isHarmless = settings.trustAnnotations && hints.readOnly === true;
  const isHarmful = hints.destructive === true && hints.readOnly !== true;
  const base = settings.reach.kind === 'stdio' ? 'execute' : 'network';
  return {
    category: words.category ?? (isHarmless ? 'read_only' : base),
    risk: words.risk ?? (isHarmful ? 'high' : isHarmless ? 'low' : 'medium'),
    policy: words.policy ?? (isHarmless ? 'auto' : 'requires_approval'),
    effects: effectsOf(words, isHarmless, settings),
    // A lost call may have done its work: only one that changes nothing may be made again (S001-07).
    retryable: isHarmless && hints.idempotent === true,
  };
}

function statedTraits(words: McpToolWords | undefined): McpToolWords {
  const { category, risk, policy, reads, writes } = words ?? {};
  const given = { category, risk, policy, reads, writes };
  return Object.fromEntries(Object.entries(given).filter(([, word]) => word !== undefined));
}

function effectsOf(
  words: McpToolWords,
  isHarmless: boolean,
  { reach }: McpServerSettings,
): readonly Effect[] {
  const { reads, writes } = words;
  const able = abilitiesOf(reach);
  return [
    ...(reads === undefined ? (able.reads ? [EVERYTHING] : []) : reads.map((path) => onPath('read', path))),
    ...(writes === undefined
      ? able.writes && !isHarmless
        ? [{ kind: 'write-unknown' } as const]
        : []
      : writes.map((path) => onPath('write', path))),
    ...able.network,
  ];
}

const EVERYTHING: Effect = { kind: 'read', path: '.', scope: 'tree' };

function onPath(kind: 'read' | 'write', path: string): Effect {
  return { kind, path, scope: isGlob(path) ? 'glob' : 'tree' };
}

type Abilities = { readonly reads: boolean; readonly writes: boolean; readonly network: readonly Effect[] };

/** What a server could do to the workspace and beyond, whatever it claims. */
function abilitiesOf(reach: McpServerSettings['reach']): Abilities {
  if (reach.kind === 'http') {
    const url = new URL(reach.url);
    // A server on this machine may have access to the workspace.
    const isNear = isThisMachine(url);
    return { reads: isNear, writes: isNear, network: [{ kind: 'network', host: url.hostname }] };
  }
  if (!reach.sandbox) return { reads: true, writes: true, network: [{ kind: 'network' }] };
  return {
    reads: reach.workspace !== 'none',
    writes: reach.workspace === 'write',
    network: reach.network ? [{ kind: 'network' }] : [],
  };
}
