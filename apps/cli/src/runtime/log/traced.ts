import type { Clock, CommandStore, Executor } from '@signalbox/core';
import type { Backend } from '../contract/backend.ts';
import { spanIdOf, spansOf, traceIdOf } from './command-spans.ts';
import type { Traces } from './traces.ts';

/** A backend's store and executor with tracing; unchanged if tracing is off. */
export function traced<Parts extends { readonly backend: Backend; readonly host: { readonly name: string } }>(
  parts: Parts,
  traces: Traces | null,
  clock: Clock,
): Parts & { readonly watched: (executor: Executor) => Executor } {
  if (traces === null) return { ...parts, watched: (executor) => executor };
  const { backend, host } = parts;
  return {
    ...parts,
    backend: {
      ...backend,
      store: tracedStore(backend.store, traces),
      async close() {
        await backend.close();
        await traces.close();
      },
    },
    watched: (executor) => tracedExecutor(executor, { traces, clock, host: host.name }),
  };
}

/** The same store. When a command is stored as done, the process that leads it records its trace. */
export function tracedStore(store: CommandStore, traces: Traces): CommandStore {
  return {
    ...store,
    async commit(record, events) {
      await store.commit(record, events);
      if (record.state === 'done') traces.record(spansOf(record));
    },
  };
}

/** The same executor. Each program is recorded on the machine where it ran. */
export function tracedExecutor(
  executor: Executor,
  options: { readonly traces: Traces; readonly clock: Clock; readonly host: string },
): Executor {
  const { traces, clock, host } = options;
  return {
    ...executor,
    async execute(request, hooks) {
      const startedAt = clock.now();
      const { commandId } = request;
      const parentId = traces.activeSpan(traceIdOf(commandId)) ?? spanIdOf(commandId, 'run');
      let failed = true;
      try {
        const execution = await executor.execute(request, hooks);
        failed = false;
        return execution;
      } finally {
        traces.record([
          {
            name: 'execute',
            traceId: traceIdOf(commandId),
            spanId: spanIdOf(commandId, 'execute', { more: `${host} ${startedAt}` }),
            parentId,
            startedAt,
            endedAt: clock.now(),
            failed,
            attributes: { 'signalbox.command.id': commandId, 'host.name': host },
          },
        ]);
      }
    },
  };
}
