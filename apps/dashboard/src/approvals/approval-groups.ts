import type { Level } from '@signalbox/core';
import type { CommandView, WaitingApproval } from '@signalbox/api';

/** Calls of one provider for one program: what is decided in one go of thought. */
export type ApprovalGroup = Readonly<{
  key: string;
  provider: string;
  /** The program of the shell line, or the tool. */
  what: string;
  /** In the order of the inbox. */
  members: readonly WaitingApproval[];
}>;

/** So many fit a screen as they are. */
const MOST_UNGROUPED = 8;

const LEVELS: readonly Level[] = ['blocked', 'dangerous', 'warning', 'safe'];

/** Worst level first, then who has waited longest. */
function inOrder(approvals: readonly WaitingApproval[]): readonly WaitingApproval[] {
  const level = ({ command }: WaitingApproval): number => LEVELS.indexOf(command.verdict?.level ?? 'warning');
  return approvals.toSorted((a, b) => level(a) - level(b) || a.command.submittedAt - b.command.submittedAt);
}

/**
 * The inbox by provider and program, when many wait; one group without a name before that. A group stands where its
 * worst and oldest call would, so that nothing dangerous sinks below many harmless calls.
 */
export function groupsOf(approvals: readonly WaitingApproval[]): readonly ApprovalGroup[] {
  const ordered = inOrder(approvals);
  if (ordered.length <= MOST_UNGROUPED) return [{ key: '', provider: '', what: '', members: ordered }];
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

/** What a shell line starts first, by the classifier's word; the tool of any other call. */
function programOf({ call, verdict }: CommandView): string {
  if (call.tool !== 'bash') return call.tool;
  const started = verdict?.effects.find((effect) => effect.kind === 'process');
  if (started !== undefined) return started.program;
  const { line } = call.args;
  return typeof line === 'string' ? (line.trim().split(/\s+/)[0] ?? call.tool) : call.tool;
}
