import type { Effect, PlannedStep, Settings, Tool, UndoForecast } from '@signalbox/core';
import { ageText, mebibytesText } from '../age-text.ts';
import { isReversible } from '../judging/transaction-facts.ts';

const CHANGING: ReadonlySet<Effect['kind']> = new Set([
  'write',
  'delete',
  'write-unknown',
  'resource',
  'network',
]);

/** Whether `signalbox undo` could restore what the call changes. */
export function undoForecast(
  tool: Tool,
  effects: readonly Effect[],
  {
    steps,
    transactional,
    kept,
  }: {
    readonly steps: readonly PlannedStep[];
    readonly transactional: boolean;
    /** How long copies of replaced files are kept. */
    readonly kept: Pick<Settings['execution'], 'history_max_age' | 'history_max_mb'>;
  },
): UndoForecast {
  const has = (kind: Effect['kind']): boolean => effects.some((effect) => effect.kind === kind);
  const isPush = steps.some((step) => step.kind === 'push');
  if (tool.kind === 'mcp')
    return { kind: 'no', why: 'Signalbox can’t see what tools of other servers change' };
  if (isPush) return { kind: 'no', why: 'pushed commits stay on the remote' };
  const changes = effects.some((effect) => CHANGING.has(effect.kind) && !isRead(effect));
  if (!changes && (tool.category === 'read_only' || tool.shellLine !== undefined))
    return { kind: 'unneeded' };
  const isFileTool = tool.requestKind === 'file_write' && tool.kind === 'builtin';
  if (!isReversible(tool, { transactional }) && !isFileTool)
    return { kind: 'no', why: 'no undo copy is kept here: the line would run directly on the workspace' };
  if (has('network')) return { kind: 'partly', why: 'file changes can be undone, network requests can’t' };
  if (has('privilege')) return { kind: 'no', why: 'it needs more rights than Signalbox has' };
  const size = mebibytesText(kept.history_max_mb);
  return {
    kind: 'yes',
    until: `for ${ageText(kept.history_max_age)}, while newer copies take less than ${size}`,
  };
}

function isRead(effect: Effect): boolean {
  return effect.kind === 'resource' && effect.access === 'read';
}
