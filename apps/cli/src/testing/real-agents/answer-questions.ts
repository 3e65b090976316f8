import { createSystemClock } from '@signalbox/embedded';
import { clientAt } from '../../client/client-at.ts';
import { findCoordinator } from '../../client/find-coordinator.ts';
import type { PersonAnswer } from './scenarios.ts';

const POLL_EVERY_MS = 300;
const clock = createSystemClock();

/** Acts as the user of a workspace until it is stopped: reads pending approvals, and answers them from the script. */
export async function answerQuestions(
  workspace: string,
  answer: PersonAnswer,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    // The coordinator may have ended; the next poll finds its successor.
    await answerThose(workspace, answer).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
}

async function answerThose(workspace: string, answer: PersonAnswer): Promise<void> {
  const found = await findCoordinator({ directory: workspace, clock }, 'answer questions');
  if (found === null) return;
  const client = clientAt(found.access);
  const { approvals } = await client.listApprovals();
  for (const { command } of approvals) {
    const given = answer(command.title);
    if (given === undefined || command.approval === null) continue;
    const seen = { id: command.id, callHash: command.approval.callHash };
    if (given.refuse === undefined) await client.grantApproval(seen);
    else await client.refuseApproval({ ...seen, reason: given.refuse });
  }
}
