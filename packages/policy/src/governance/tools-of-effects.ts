import type { Effect, Settings } from '@signalbox/core';
import { MAKES_COMMITS } from '../shell/report/reason-codes.ts';
import type { Question } from './question.ts';
import { listingOf, toolPolicyOf } from './tool-settings.ts';

/** The tools of each effect: their settings apply to every call with that effect. */
const EFFECT_TOOLS = [
  'read_file',
  'write_file',
  'delete_file',
  'git_add',
  'git_commit',
  'fetch_url',
] as const;
type EffectTool = (typeof EFFECT_TOOLS)[number];

/** Such an effect of a call, in words: `writes src/a.ts`. */
export type ToolEffect = { readonly tool: EffectTool; readonly text: string };

/** Tools that are judged by their own names, which state their effect. */
const OWN_NAME = /^(?:(?:read|write|edit|delete)_file|git_\w+)$/;

const MAX_NAMED = 3;

/** The effects of a call by the tool of each; empty for the tools themselves. */
export function toolsOfEffects(question: Question): readonly ToolEffect[] {
  if (question.tool.kind !== 'mcp' && OWN_NAME.test(question.tool.name)) return [];
  const { verdict } = question;
  const makesCommits = verdict.reasons.some(({ code }) => code === MAKES_COMMITS);
  const named = verdict.effects.flatMap((effect) => toolEffectsOf(effect, question));
  const all = [...named, ...(makesCommits ? [{ tool: 'git_commit', text: 'creates commits' } as const] : [])];
  return EFFECT_TOOLS.flatMap((tool) => {
    const texts = [...new Set(all.filter((one) => one.tool === tool).map(({ text }) => text))];
    return texts.length === 0 ? [] : [{ tool, text: bounded(texts) }];
  });
}

/** Changes of a call to workspace files and git's records, by any tool or line; undefined for none. */
function changesOf(question: Question): string | undefined {
  const texts = question.verdict.effects.flatMap((effect) => {
    if (effect.kind === 'resource')
      return effect.access === 'write' && /^git:(?:index|refs)$/.test(effect.resource)
        ? [`changes ${effect.resource}`]
        : [];
    return toolEffectsOf(effect, question)
      .filter(({ tool }) => tool === 'write_file' || tool === 'delete_file')
      .map(({ text }) => text);
  });
  return texts.length === 0 ? undefined : bounded([...new Set(texts)]);
}

/** Why a list or a policy of such a tool requires approval for a call with its effect. */
export function askedByEffect(
  question: Question,
  settings: Settings,
): { readonly rule: 'writes-ask' | 'tool-asks'; readonly reason: string } | undefined {
  const changed = settings.approval.file_writes === 'ask' ? changesOf(question) : undefined;
  if (changed !== undefined) return { rule: 'writes-ask', reason: `approval.file_writes is ask: ${changed}` };
  for (const { tool, text } of toolsOfEffects(question)) {
    const named = { name: tool, aliases: [] };
    if (listingOf(named, settings) === 'asks')
      return { rule: 'writes-ask', reason: `require_approval_tools lists ${tool}: ${text}` };
    if (toolPolicyOf(named, settings).policy === 'requires_approval')
      return { rule: 'tool-asks', reason: `tools.${tool}.policy is requires_approval: ${text}` };
  }
  return undefined;
}

function toolEffectsOf(effect: Effect, { reversible = false }: Question): readonly ToolEffect[] {
  switch (effect.kind) {
    case 'read':
      return isInside(effect.path) ? [{ tool: 'read_file', text: `reads ${effect.path}` }] : [];
    case 'secret':
      return [{ tool: 'read_file', text: `reads ${effect.path}` }];
    case 'write':
      return isInside(effect.path) ? [{ tool: 'write_file', text: `writes ${effect.path}` }] : [];
    case 'delete':
      return isInside(effect.path) ? [{ tool: 'delete_file', text: `deletes ${effect.path}` }] : [];
    case 'write-unknown':
      // In a transaction each written file is checked before any of them is committed.
      return reversible ? [] : ANY_CHANGE;
    case 'network':
      return [{ tool: 'fetch_url', text: `reaches ${effect.host ?? 'unknown hosts'}` }];
    case 'resource':
      return effect.resource === 'git:index' && effect.access === 'write'
        ? [{ tool: 'git_add', text: 'changes the git index' }]
        : [];
    case 'process':
    case 'privilege':
    case 'repository-code':
      return [];
  }
}

const ANY_CHANGE: readonly ToolEffect[] = (['write_file', 'delete_file', 'git_commit'] as const).map(
  (tool) => ({
    tool,
    text: 'may change any file',
  }),
);

/** The sandbox's own `/tmp` and devices are not the workspace's files. */
function isInside(path: string): boolean {
  return !path.startsWith('/') && !path.startsWith('~');
}

function bounded(texts: readonly string[]): string {
  const more = texts.length - MAX_NAMED;
  return `${texts.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
