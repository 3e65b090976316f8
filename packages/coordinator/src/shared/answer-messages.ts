import { type Clock, type Facts, Json, type Logger, type NodeId } from '@signalbox/core';
import type { Coordinator } from '../coordinator-api.ts';
import { type ControlMessage, serveMessages } from './control-messages.ts';
import type { SessionRequests } from './session-requests.ts';

/** Services of this process only: the sender asks the other processes itself. */
type Here = {
  readonly removeRule: (rule: string) => Promise<boolean>;
  readonly ownSessions?: SessionRequests | undefined;
};

/**
 * Handles control requests from other coordinators of the workspace until it is stopped; does nothing if there are
 * none.
 */
export function answerMessages(
  coordinator: Coordinator,
  parts: Here & {
    readonly facts: Facts;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly of: NodeId | undefined;
  },
): { stop(): Promise<void> } {
  const { facts, of } = parts;
  if (of === undefined) return { stop: async () => undefined };
  return serveMessages(facts, { ...parts, of, answer: (message) => answerTo(message, coordinator, parts) });
}

/** Performs a request and returns its result as data. */
async function answerTo(message: ControlMessage, coordinator: Coordinator, here: Here): Promise<Json> {
  const { approvals } = coordinator;
  switch (message.kind) {
    case 'cancel':
      return toJson(
        await coordinator.cancel(message.id, {
          by: message.by,
          reason: message.reason,
          haste: message.haste,
        }),
      );
    case 'approve': {
      const answer =
        message.change === undefined
          ? ({ kind: 'approve' } as const)
          : ({ kind: 'modify', ...message.change } as const);
      return toJson(await approvals.answer(message.id, answer, { by: message.by, expect: message.expect }));
    }
    case 'deny':
    case 'answer':
    case 'extend': {
      const { id, by, expect, ...answer } = message;
      return toJson(await approvals.answer(id, answer, { by, expect }));
    }
    case 'preview':
      return toJson(await approvals.preview(message.id));
    case 'remember':
      return toJson(await coordinator.sessionRules.add(message.id, message.rule));
    case 'forget':
      return toJson({ removed: await here.removeRule(message.rule) });
    case 'stop-session':
      return toJson({ stopped: (await here.ownSessions?.stop(message.id, message.by)) ?? false });
    case 'say-to-session': {
      const { id, text, by, interrupts } = message;
      return toJson({ said: (await here.ownSessions?.say(id, { text, by, interrupts })) ?? false });
    }
    case 'compress-session':
      return toJson({ requested: (await here.ownSessions?.compress(message.id, message.by)) ?? false });
  }
}

/** Our own data, so values that JSON can't hold (an absent key) are simply dropped. */
function toJson(value: unknown): Json {
  return Json.parse(JSON.parse(JSON.stringify(value)));
}
