import type { NewEvent } from '@signalbox/core';
import type { SessionContext } from './session-context.ts';
import type { SessionStep } from './session-step.ts';

/** Stores a step together with events. Absent in a session that ends with its process. */
export type SaveStep = (step: SessionStep, events: readonly NewEvent[]) => Promise<void>;

/** The state of a session, and the events that led to it. */
export type ReportedStep = { readonly context: SessionContext; readonly events: readonly NewEvent[] };

/** Stores the steps of one session, one after the other. */
export type SessionWriter = {
  /** Settles when the step is stored; undefined if steps are not. */
  begin(at: SessionStep['at'], context: SessionContext): Promise<void> | undefined;
  /** The same with events, which are told in any case. */
  tell(at: SessionStep['at'], step: ReportedStep): Promise<void>;
  /** What a person or the model has asked for since the step began. */
  amend(context: SessionContext): void;
  /** The step that has begun; undefined before the first one. */
  last(): SessionStep | undefined;
  /** Settles when everything so far is stored. */
  settled(): Promise<void>;
};

export function createSessionWriter(parts: {
  readonly save: SaveStep | undefined;
  readonly tell: (...events: readonly NewEvent[]) => Promise<void>;
  readonly elapsedMs: () => number;
  /** The step of a session that another process has left. */
  readonly first: SessionStep | undefined;
}): SessionWriter {
  const { save, tell, elapsedMs } = parts;
  let last: SessionStep | undefined = parts.first;
  let saving: Promise<unknown> = Promise.resolve();

  function store(
    at: SessionStep['at'],
    context: SessionContext,
    { events, to }: { readonly events: readonly NewEvent[]; readonly to: SaveStep },
  ): Promise<void> {
    const step = { at, context, elapsedMs: elapsedMs() };
    last = step;
    const saved = saving.then(() => to(step, events));
    saving = saved.catch(() => undefined);
    return saved;
  }

  return {
    begin: (at, context) => (save === undefined ? undefined : store(at, context, { events: [], to: save })),
    tell: (at, { context, events }) =>
      save === undefined ? tell(...events) : store(at, context, { events, to: save }),
    amend({ inbox, cancelReason, compressionRequest }) {
      if (save === undefined || last === undefined) return;
      const amended = { ...last.context, inbox, cancelReason, compressionRequest };
      store(last.at, amended, { events: [], to: save }).catch(() => undefined);
    },
    last: () => last,
    async settled() {
      await saving;
    },
  };
}
