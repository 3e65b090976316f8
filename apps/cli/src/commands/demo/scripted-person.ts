import type { ApiClient } from '@signalbox/api';
import type { Clock, Event } from '@signalbox/core';

/** Name of the scripted approver; shown as such, never taken for a person. */
export const SCRIPTED_PERSON = 'scripted person';

/** Long enough to read the approval and to answer it oneself; with `--fast`, no one is expected to. */
export function answersAfterMs(fast: boolean): number {
  return fast ? 500 : 8000;
}

const POLL_MS = 1000;

/** Approves when no one has answered for a while. Only in the demo: real approvals expire as denied. */
export function createScriptedPerson(options: {
  readonly client: Pick<ApiClient, 'grantApproval'>;
  readonly clock: Clock;
  readonly fast: boolean;
  /** Whether a person is typing right now: then it does not answer for them. */
  readonly isAnswering: () => boolean;
}): Readonly<{ receive(event: Event): void; leave(): void }> {
  const { client, clock, fast, isAnswering } = options;
  const timers = new Map<string, () => void>();

  return {
    receive(event) {
      if (event.type === 'approval_requested') {
        const { commandId: id, callHash } = event;
        // A workspace without a sandbox needs approval for tests too; the scene is the shell line.
        const delay = event.title.startsWith('bash ') ? answersAfterMs(fast) : 0;
        const answer = (): void => {
          if (isAnswering()) timers.set(id, clock.timer(POLL_MS, answer));
          // A person may have been faster: the first answer counts.
          else client.grantApproval({ id, callHash }).catch(() => undefined);
        };
        timers.set(id, clock.timer(delay, answer));
      } else if (event.type === 'command_approved' || event.type === 'command_denied') {
        timers.get(event.commandId)?.();
      }
    },
    leave() {
      for (const cancel of timers.values()) cancel();
    },
  };
}
