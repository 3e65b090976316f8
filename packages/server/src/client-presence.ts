import type { Clock, CommandId } from '@signalbox/core';

/** A sender can be killed between sending a call and attending it; the command waits this long for it. */
const GRACE_MS = 30_000;

/** Commands whose senders promised to attend them and have not come yet. */
export type ClientPresence = {
  expect(id: CommandId, cancel: () => void): void;
  arrived(id: CommandId): void;
  close(): void;
};

export function createClientPresence(clock: Pick<Clock, 'timer'>): ClientPresence {
  const expected = new Map<CommandId, () => void>();

  function arrived(id: CommandId): void {
    expected.get(id)?.();
    expected.delete(id);
  }

  return {
    expect(id, cancel) {
      const stopTimer = clock.timer(GRACE_MS, () => {
        expected.delete(id);
        cancel();
      });
      expected.set(id, stopTimer);
    },
    arrived,
    close() {
      for (const id of expected.keys()) arrived(id);
    },
  };
}
