import {
  type Approver,
  type CommandId,
  type CommandResult,
  ProviderId,
  type SessionId,
} from '@signalbox/core';
import type { Coordinator } from './coordinator-api.ts';

export type UndoCall = {
  readonly command: CommandId;
  /** What the person was shown. */
  readonly paths: readonly string[];
  /** Later changes are overwritten too; the person was shown that. */
  readonly force: boolean;
  /** Of all that it changed `paths` alone. Default: all of it. */
  readonly part?: boolean | undefined;
  /** Of the one path this hunk alone, by its head. */
  readonly hunk?: string | undefined;
  readonly by: Approver;
  readonly sessionId: SessionId;
};

/** It waits: for others' leases, or for one more person. */
type Waits = { readonly kind: 'waits'; readonly commandId: CommandId; readonly status: string };
export type UndoOutcome =
  | { readonly kind: 'ended'; readonly commandId: CommandId; readonly result: CommandResult }
  | Waits;

/**
 * Takes a command back by a command of its own, judged, leased and recorded like any other. The person has said yes
 * to exactly this already, so that a question is answered by that.
 */
export async function submitUndo(
  coordinator: UndoCoordinator,
  { command, paths, force, part = false, hunk, by, sessionId }: UndoCall,
): Promise<UndoOutcome> {
  const submitted = coordinator.submit(
    {
      callId: 'undo',
      tool: 'undo',
      args: { command, paths, force, part, ...(hunk === undefined ? {} : { hunk }) },
    },
    { sessionId, provider: ProviderId.parse('you'), trust: 'trusted' },
  );
  const { commandId, result } = submitted;
  if ((await submitted.resting) === 'pending') {
    const hash = (await coordinator.status(commandId))?.approval?.callHash;
    const answer =
      hash === undefined
        ? null
        : await coordinator.approvals.answer(commandId, { kind: 'approve' }, by, hash);
    if (answer?.kind !== 'granted') return { kind: 'waits', commandId, status: 'pending' };
  }
  if (submitted.status === 'queued') return { kind: 'waits', commandId, status: 'queued' };
  return { kind: 'ended', commandId, result: await result };
}

type UndoCoordinator = Pick<Coordinator, 'submit' | 'status' | 'approvals'>;
