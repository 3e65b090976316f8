import { type CommandId, type CommandResult, type CommandStore, UnavailableError } from '@signalbox/core';
import type { CommandRunner } from '../command/command-runner.ts';
import type { Coordinator } from '../coordinator-api.ts';

/** Results of commands that an earlier process may have accepted. */
export function createEarlierResults(parts: {
  readonly store: Pick<CommandStore, 'get' | 'find'>;
  /** Its runner once it is known whether this coordinator leads it. */
  readonly ledRunner: (id: CommandId) => Promise<Pick<CommandRunner, 'result'> | undefined>;
  /** Undefined where the workspace has one coordinator. */
  readonly resultElsewhere: ((id: CommandId) => Promise<CommandResult | null>) | undefined;
}): Coordinator['earlierResult'] {
  const { store, ledRunner, resultElsewhere } = parts;
  return async (id) => {
    const runner = await ledRunner(id);
    if (runner !== undefined) return runner.result;
    const result = resultElsewhere === undefined ? (await store.get(id))?.result : await resultElsewhere(id);
    if (result != null) return result;
    // A record that can't be read must not look like a command that never was.
    const [found] = await store.find(id.slice('cmd_'.length));
    if (found === undefined) return null;
    throw new UnavailableError('answer-unknown', `Cannot tell how ${id} ended: its record cannot be read`);
  };
}
