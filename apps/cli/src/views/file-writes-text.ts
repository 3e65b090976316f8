import type { Settings } from '@signalbox/core';

type Read = Pick<Settings, 'approval' | 'agents' | 'tools'>;

/** How file changes are handled here, in the words of the first line of `run`. */
export function fileWritesText({ approval, agents, tools }: Read, layer: string): string {
  const { approval_mode: mode, file_writes: choice, prompt_on_warning: prompts } = approval;
  if (mode === 'deny_all') return 'no call runs';
  if (mode === 'prompt') return 'every call asks';
  if (mode === 'allow_all') return 'no call asks but dangerous ones';
  const isListed = agents.tool_execution.require_approval_tools?.some((name) => /^write|^\*/.test(name));
  if (choice === 'ask' || isListed === true) return 'file writes ask';
  if (prompts === false || (choice === 'never' && prompts !== true)) return 'file writes never ask';
  const canUndo = layer === 'overlay' && tools.shell.transactional;
  return canUndo && prompts !== true ? 'file writes run, undo reverts them' : 'file writes ask';
}
