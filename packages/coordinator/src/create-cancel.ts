import type { CommandId, CommandStore } from '@signalbox/core';
import type { CommandRunner } from './command/command-runner.ts';
import type { CancelAnswer, Coordinator } from './coordinator-api.ts';
import type { Leaders } from './shared/leaders.ts';

/** Cancels a command here, or has the coordinator that leads it do so. */
export function createCancel(parts: {
  readonly store: Pick<CommandStore, 'get'>;
  /** Its runner once it is known whether this coordinator leads it. */
  readonly ledRunner: (id: CommandId) => Promise<Pick<CommandRunner, 'cancel'> | undefined>;
  /** Undefined where the workspace has one coordinator. */
  readonly leaders: Pick<Leaders, 'tell'> | undefined;
}): Coordinator['cancel'] {
  const { store, ledRunner, leaders } = parts;
  return async (id, { by, reason = 'no reason given', haste = 'gently' }) => {
    const runner = await ledRunner(id);
    if (runner !== undefined) return runner.cancel(by, { reason, haste });
    const reported = await leaders?.tell(id, { kind: 'cancel', id, by, reason, haste });
    if (reported != null) return reported as unknown as CancelAnswer;
    const record = await store.get(id);
    return record === null ? { kind: 'unknown' } : { kind: 'already-done', record };
  };
}
