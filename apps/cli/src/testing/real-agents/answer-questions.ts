import { createSystemClock } from '@signalbox/embedded';
import * as z from 'zod';
import { findCoordinator } from '../../client/find-coordinator.ts';
import { askServer } from '../../serve/ask-server.ts';
import type { PersonsAnswer } from './scenarios.ts';

const LOOK_EVERY_MS = 300;
const clock = createSystemClock();

const Questions = z.object({
  approvals: z.array(
    z.object({
      command: z.object({ id: z.string(), title: z.string(), approval: z.object({ callHash: z.string() }) }),
    }),
  ),
});

/** Plays the person of a workspace until it is stopped: looks for questions, and answers them as the play says. */
export async function answerQuestions(
  workspace: string,
  answer: PersonsAnswer,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    // The coordinator that was there may have gone; the next look finds the next one.
    await answerThose(workspace, answer).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function answerThose(workspace: string, answer: PersonsAnswer): Promise<void> {
  const found = await findCoordinator({ directory: workspace, clock }, 'answer questions');
  if (found === null) return;
  const { access } = found;
  const { approvals } = await askServer(access, { method: 'GET', path: '/api/approvals' }, Questions);
  for (const { command } of approvals) {
    const given = answer(command.title);
    if (given === undefined) continue;
    const { callHash } = command.approval;
    const [what, body] =
      given.refuse === undefined ? ['grant', { callHash }] : ['refuse', { callHash, reason: given.refuse }];
    await askServer(
      access,
      { method: 'POST', path: `/api/approvals/${command.id}/${what}`, body },
      z.unknown(),
    );
  }
}
