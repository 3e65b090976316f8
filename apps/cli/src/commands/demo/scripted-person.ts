import type { ApprovalService } from '@signalbox/coordinator';
import type { Clock, Event, EventLog } from '@signalbox/core';

/** Who answers in the demo when nobody does; shown as such, never taken for a person. */
export const SCRIPTED_PERSON = { name: 'scripted person', channel: 'demo' } as const;

/** Long enough to read the question and to answer it oneself; with `--fast`, nobody is there. */
export function answersAfterMs(fast: boolean): number {
  return fast ? 500 : 8000;
}

const LOOKS_AGAIN_AFTER_MS = 1000;

/**
 * Grants what is asked when nobody has answered for a while. Only in the demo: real questions expire as
 * refusals.
 *
 * @returns How to make it stop.
 */
export function startScriptedPerson(options: {
  readonly events: Pick<EventLog, 'subscribe'>;
  readonly approvals: Pick<ApprovalService, 'answer'>;
  readonly clock: Clock;
  readonly fast: boolean;
  /** Whether a person is at the keys right now: then nobody answers for them. */
  readonly isAnswering?: () => boolean;
}): () => void {
  const { events, approvals, clock, fast, isAnswering } = options;
  const timers = new Map<string, () => void>();

  function hear(event: Event): void {
    if (event.type === 'approval_requested') {
      const { commandId, callHash } = event;
      // A workspace without a sandbox asks for tests too; the scene is the shell line.
      const delay = event.title.startsWith('bash ') ? answersAfterMs(fast) : 0;
      const answer = (): void => {
        if (isAnswering?.() === true) {
          timers.set(commandId, clock.timer(LOOKS_AGAIN_AFTER_MS, answer));
          return;
        }
        // Somebody may have been faster: the first answer counts.
        void approvals.answer(commandId, { kind: 'approve' }, SCRIPTED_PERSON, callHash);
      };
      timers.set(commandId, clock.timer(delay, answer));
    } else if (event.type === 'command_approved' || event.type === 'command_denied') {
      timers.get(event.commandId)?.();
    }
  }

  const unsubscribe = events.subscribe(hear);
  return () => {
    unsubscribe();
    for (const cancel of timers.values()) cancel();
  };
}
