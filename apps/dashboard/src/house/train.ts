import type { Claim, CommandState, Level, OutcomeKind } from '@signalbox/core';
import type { CommandView } from '@signalbox/api';
import { visible } from '@signalbox/core/visible-text';

/**
 * A command as screens that watch many of them show it: what events tell, and no more.
 *
 * The card of one command asks the server for its whole record.
 */
export type Train = Readonly<{
  id: string;
  sessionId: string;
  provider: string;
  tool: string;
  title: string;
  state: CommandState;
  level: Level | null;
  claims: readonly Claim[];
  /** Who stood before it when it entered the queue; those that ended since no longer count. */
  blockers: readonly string[];
  submittedAt: number;
  /** When it began to wait for a person; null when it does not. */
  askedAt: number | null;
  expiresAt: number | null;
  queuedAt: number | null;
  startedAt: number | null;
  endedAt: number | null;
  fencingToken: number | null;
  outcome: OutcomeKind | null;
  /** Why it did not complete: the failure's code, or the rule that denied it. */
  rule: string | null;
  /** Its failure's message; of a completed command the exit code by which it answered, if that is not 0. */
  message: string | null;
}>;

export function trainOf(view: CommandView): Train {
  const { approval, context, lease, result, ruling } = view;
  const pending = approval?.status === 'pending' ? approval : null;
  const { outcome } = result ?? {};
  const failure = outcome === undefined || outcome.kind === 'completed' ? null : outcome.failure;
  return {
    id: view.id,
    sessionId: context.sessionId,
    provider: context.provider,
    tool: view.call.tool,
    title: view.title,
    state: view.state,
    level: view.verdict?.level ?? null,
    claims: view.claims,
    blockers: [],
    submittedAt: view.submittedAt,
    askedAt: pending?.firstRequestedAt ?? pending?.requestedAt ?? null,
    expiresAt: pending?.expiresAt ?? null,
    queuedAt: view.queuedAt,
    startedAt: view.startedAt,
    endedAt: view.endedAt,
    fencingToken: lease?.fencingToken ?? null,
    outcome: outcome?.kind ?? null,
    rule: failure === null ? null : ruling?.kind === 'deny' ? ruling.rule : failure.code,
    message: failure?.message ?? answerOf(result?.exitCode),
  };
}

/** What a command answered that did its work, where that is more than its output: `grep` without a match, tests that fail. */
export function answerOf(exitCode: number | null | undefined): string | null {
  return exitCode == null || exitCode <= 0 ? null : `exit code ${exitCode}`;
}

/** `bash npm test` as `npm test`: what a person would have typed, with nothing in it that hides. */
export function lineOf({ tool, title }: Pick<Train, 'tool' | 'title'>): string {
  return visible(tool === 'bash' && title.startsWith('bash ') ? title.slice('bash '.length) : title);
}

export type Aspect = 'running' | 'waiting' | 'person' | 'judged' | 'done';

/** What a signal would show for it. */
export function aspectOf({ state }: Pick<Train, 'state'>): Aspect {
  switch (state) {
    case 'running':
      return 'running';
    case 'queued':
      return 'waiting';
    case 'awaiting_approval':
      return 'person';
    case 'submitted':
    case 'classified':
    case 'approved':
      return 'judged';
    case 'done':
      return 'done';
  }
}

/** Whether it ended in a way that somebody should look at. */
export function isTrouble({ outcome }: Pick<Train, 'outcome'>): boolean {
  return outcome !== null && outcome !== 'completed' && outcome !== 'cancelled';
}
