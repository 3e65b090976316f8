import { Json, type SessionId } from '@signalbox/core';
import type { Coordinator } from '../coordinator-api.ts';
import { beginUndo } from '../submit-undo.ts';
import type { Letter } from './mailbox.ts';

/**
 * Does what another process asks, and answers in data what came of it.
 *
 * @param here of this process alone: who asks, asks the others too
 */
export async function answerLetter(
  letter: Letter,
  coordinator: Coordinator,
  here: {
    readonly removeRule: (rule: string) => Promise<boolean>;
    readonly stopSession?: (id: SessionId, by: string) => Promise<boolean>;
  },
): Promise<Json> {
  const { approvals } = coordinator;
  switch (letter.kind) {
    case 'cancel':
      return toJson(await coordinator.cancel(letter.id, letter.by, letter.reason, letter.haste));
    case 'approve': {
      const answer =
        letter.change === undefined
          ? ({ kind: 'approve' } as const)
          : ({ kind: 'modify', ...letter.change } as const);
      return toJson(await approvals.answer(letter.id, answer, letter.by, letter.expect));
    }
    case 'deny':
    case 'extend': {
      const { id, by, expect, ...answer } = letter;
      return toJson(await approvals.answer(id, answer, by, expect));
    }
    case 'judge':
      return toJson(await approvals.judge(letter.id, letter.args));
    case 'preview':
      return toJson(await approvals.preview(letter.id));
    case 'remember':
      return toJson(await coordinator.sessionRules.add(letter.id, letter.rule));
    case 'forget':
      return toJson({ removed: await here.removeRule(letter.rule) });
    case 'undo': {
      const { id: command, paths, force, part, hunk, by, sessionId } = letter;
      const begun = await beginUndo(coordinator, { command, paths, force, part, hunk, by, sessionId });
      // Its end is told by its record: a letter is answered at once.
      return toJson(begun.kind === 'waits' ? begun : { kind: begun.kind, commandId: begun.commandId });
    }
    case 'stop-session':
      return toJson({ stopped: (await here.stopSession?.(letter.id, letter.by)) ?? false });
    case 'mode':
      return toJson(await coordinator.setMode(letter.mode, letter.by, letter.reason, letter.forMs));
  }
}

/** Our own data, so what JSON can't hold (an absent key) is simply left out. */
function toJson(value: unknown): Json {
  return Json.parse(JSON.parse(JSON.stringify(value)));
}
