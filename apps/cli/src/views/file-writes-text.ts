import type { Settings } from '@signalbox/core';

type Read = Pick<Settings, 'approval' | 'agents' | 'tools'>;

/** How file changes are handled here, in the words of the first line of `run`. */
export function fileWritesText({ approval, agents, tools }: Read, layer: string): string {
  const { approval_mode: mode, file_writes: choice, prompt_on_warning: prompts } = approval;
  if (mode === 'deny_all') return 'no call runs';
  if (mode === 'prompt') return 'every call needs approval';
  if (mode === 'allow_all') return 'only dangerous calls need approval';
  const isListed = agents.tool_execution.require_approval_tools?.some((name) => /^write|^\*/.test(name));
  if (choice === 'ask' || isListed === true) return 'file writes need approval';
  if (prompts === false || (choice === 'never' && prompts !== true)) return 'file writes never need approval';
  const canUndo = layer === 'overlay' && tools.shell.transactional;
  return canUndo && prompts !== true
    ? 'file writes run if undo can revert them'
    : 'file writes need approval';
}
