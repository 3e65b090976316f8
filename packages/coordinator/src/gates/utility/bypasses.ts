import { matchesTool, type Settings, type Tool } from '@signalbox/core';
import { onlyReads } from '../../judging/change.ts';
import type { GatedCall } from '../gate.ts';

/** Skipping one of these would stall a session, so no setting removes them (S001-115). */
const ALWAYS_EXEMPT = ['invoke_skill', 'load_skill', 'memory_save'] as const;

/** Whether the gate does not judge a call: a person's, one with effects, an exempt tool (S001-110, S001-115, X-28). */
export function bypasses(
  { call, verdict, context }: Pick<GatedCall, 'call' | 'verdict' | 'context'>,
  {
    tool,
    line,
    exempt,
  }: {
    readonly tool: Pick<Tool, 'name' | 'isExempt'> | undefined;
    readonly line: string | null;
    readonly exempt: Settings['tools']['utility']['exempt_tools'];
  },
): boolean {
  if (tool === undefined || tool.isExempt) return true;
  if (context.provider === 'you' || context.phase === 'verifier') return true;
  // Without a known effect nothing says whether its answer could have changed.
  if (verdict.effects.length === 0 || !onlyReads(verdict.effects)) return true;
  if ([...ALWAYS_EXEMPT, ...exempt].some((pattern) => matchesTool(pattern, tool.name))) return true;
  return isAskedFor(line ?? call.tool, context.task ?? '');
}

/** Shorter lines occur in prose. */
const MIN_LINE = 5;

/** Whether the task names exactly this line, or the tool. */
function isAskedFor(wanted: string, task: string): boolean {
  const text = spaced(wanted);
  if (text.length < MIN_LINE) return false;
  const asked = spaced(task);
  for (let at = asked.indexOf(text); at >= 0; at = asked.indexOf(text, at + text.length)) {
    if (!isPartOfWord(asked[at - 1]) && !isPartOfWord(asked[at + text.length])) return true;
  }
  return false;
}

function spaced(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

function isPartOfWord(character: string | undefined): boolean {
  return character !== undefined && /[\w/-]/.test(character);
}
