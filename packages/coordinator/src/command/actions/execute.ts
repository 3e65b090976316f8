import { InvariantError, type Lease } from '@signalbox/core';
import type { OutsideEdits } from '../../execution/outside-edits.ts';
import type { Request } from '../command-event.ts';
import type { RunningCall } from '../running/execute-call.ts';
import type { Hold } from '../running/hold.ts';
import type { RunnerDependencies } from '../runner-dependencies.ts';
import type { StepPerformers } from './performers.ts';

type Execution = { readonly flushed: Promise<void> | undefined; readonly edits: OutsideEdits };

/** The process of one command, and its lease. */
export type Execute = StepPerformers<'execute' | 'interrupt' | 'resume' | 'resumeFailed'> & {
  /** Output of the last execution. */
  outputs(): Execution;
};

export function executing(
  parts: Pick<RunnerDependencies, 'execute'>,
  runner: {
    readonly lease: () => Lease | undefined;
    /** For a request without a waiting caller. */
    readonly send: (request: Request) => void;
  },
): Execute {
  let running: RunningCall | undefined;
  let execution: Execution | undefined;
  let exchange: PromiseWithResolvers<Lease | null> | undefined;

  const hold: Hold = {
    lease: runner.lease,
    async exchange(claims, { placeless, signal }) {
      exchange = Promise.withResolvers();
      const { promise } = exchange;
      const drop = (): void => runner.send({ type: 'claims.dropped' });
      runner.send({ type: 'claims.wanted', claims, placeless });
      if (signal.aborted) drop();
      signal.addEventListener('abort', drop, { once: true });
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', drop);
      }
    },
  };

  return {
    execute(_, record) {
      try {
        const { call, output, edits } = parts.execute(record, hold);
        running = call;
        void call.ended.then((ran) => {
          running = undefined;
          execution = { flushed: output.end(), edits };
          return runner.send({ type: 'process.ended', ran });
        });
        return [];
      } catch (cause) {
        return [{ type: 'execution.failed', cause }];
      }
    },
    interrupt: ({ why, haste }) => running?.interrupt(why, haste),
    resume: ({ lease }) => exchange?.resolve(lease),
    resumeFailed: ({ cause }) => exchange?.reject(cause),
    outputs() {
      if (execution === undefined) throw new InvariantError('Cannot conclude a command that never ran');
      return execution;
    },
  };
}
