import type { Level } from '@signalbox/core';
import type { CommandView, WaitingApproval } from '@signalbox/api';

/** Calls of one provider for one program, which can be decided together. */
export type ApprovalGroup = Readonly<{
  key: string;
  provider: string;
  /** The program of the shell line, or the tool. */
  what: string;
  /** In the order of the inbox. */
  members: readonly WaitingApproval[];
}>;

/** This many fit on a screen without groups. */
const MAX_UNGROUPED = 8;

const LEVELS: readonly Level[] = ['blocked', 'dangerous', 'warning', 'safe'];

/** Highest level first, then the longest wait. */
function inOrder(approvals: readonly WaitingApproval[]): readonly WaitingApproval[] {
  const level = ({ command }: WaitingApproval): number => LEVELS.indexOf(command.verdict?.level ?? 'warning');
  return approvals.toSorted((a, b) => level(a) - level(b) || a.command.submittedAt - b.command.submittedAt);
}

/**
 * The inbox by provider and program if many are pending; otherwise one group without a name. A group is placed by its
 * highest and oldest call, so that nothing dangerous sinks below many harmless calls.
 */
export function groupsOf(approvals: readonly WaitingApproval[]): readonly ApprovalGroup[] {
  const ordered = inOrder(approvals);
  if (ordered.length <= MAX_UNGROUPED) return [{ key: '', provider: '', what: '', members: ordered }];
  const groups = Map.groupBy(
    ordered,
    ({ command }) => `${command.context.provider} ${command.verdict?.level ?? ''} ${programOf(command)}`,
  );
  return [...groups].flatMap(([key, members]) => {
    const [first] = members;
    if (first === undefined) return [];
    return [{ key, provider: first.command.context.provider, what: programOf(first.command), members }];
  });
}

/** The first program of a shell line, from its verdict; for any other call the tool. Each question is its own group. */
function programOf({ id, call, verdict, approval }: CommandView): string {
  if (approval?.question !== undefined) return id;
  if (call.tool !== 'bash') return call.tool;
  const started = verdict?.effects.find((effect) => effect.kind === 'process');
  if (started !== undefined) return started.program;
  const { line } = call.args;
  return typeof line === 'string' ? (line.trim().split(/\s+/)[0] ?? call.tool) : call.tool;
}
