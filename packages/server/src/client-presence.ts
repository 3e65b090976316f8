import type { Clock, CommandId } from '@signalbox/core';

/** Who sends a call and then attends it is killed in between: for so long the command waits for them. */
const GRACE_MS = 30_000;

/** Commands whose senders said that they attend them, and have not come yet. */
export type ClientPresence = {
  expect(id: CommandId, cancel: () => void): void;
  came(id: CommandId): void;
  close(): void;
};

export function createClientPresence(clock: Pick<Clock, 'timer'>): ClientPresence {
  const expected = new Map<CommandId, () => void>();

  function came(id: CommandId): void {
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
    came,
    close() {
      for (const id of expected.keys()) came(id);
    },
  };
}
