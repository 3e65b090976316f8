import {
  type Approver,
  type CommandId,
  type CommandResult,
  createId,
  type JsonObject,
  ProviderId,
  type RandomBytes,
} from '@signalbox/core';
import type { Coordinator } from './coordinator-api.ts';

export type PersonCall = {
  readonly tool: string;
  /** Exactly what the person was shown and agreed to. */
  readonly args: JsonObject;
  readonly by: Approver;
};

export type PersonOutcome =
  | { readonly kind: 'ended'; readonly commandId: CommandId; readonly result: CommandResult }
  /** For others' leases, or for one more person. */
  | { readonly kind: 'waits'; readonly commandId: CommandId; readonly status: string };

/**
 * Submits what a person clicked or typed, an undo or a commit of the review, as their own command: judged, leased and
 * recorded like any other. They agreed to exactly this call, so an approval it needs is granted by that.
 */
export async function submitForPerson(
  coordinator: Pick<Coordinator, 'submit' | 'status' | 'approvals'>,
  random: RandomBytes,
  { tool, args, by }: PersonCall,
): Promise<PersonOutcome> {
  const submitted = coordinator.submit(
    { callId: tool, tool, args },
    { sessionId: createId('session', random), provider: ProviderId.parse('you'), trust: 'trusted' },
  );
  const { commandId, result } = submitted;
  if ((await submitted.resting) === 'pending') {
    const hash = (await coordinator.status(commandId))?.approval?.callHash;
    const answer =
      hash === undefined
        ? null
        : await coordinator.approvals.answer(commandId, { kind: 'approve' }, { by, expect: hash });
    if (answer?.kind !== 'granted') return { kind: 'waits', commandId, status: 'pending' };
  }
  if (submitted.status === 'queued') return { kind: 'waits', commandId, status: 'queued' };
  return { kind: 'ended', commandId, result: await result };
}
