import type { CommandStore, Logger, SessionId } from '@signalbox/core';
import { keepLatest } from '../keep-latest.ts';

/** What a session has done and has been offered. */
export type SessionTools = {
  /** Tools that have succeeded (S001-90). */
  readonly completed: Set<string>;
  /** Tools that were offered to it by the filter, called or found by it. It only grows. */
  readonly kept: Set<string>;
  /** There was nothing to rank by once: it is offered everything from then on, so that its offer never shrinks. */
  isUnfiltered: boolean;
  /** Tools whose requirements did not count in its latest offer; null before the first. */
  lifted: readonly string[] | null;
  /** The person's words in its latest offer. */
  task: string;
  /** The latest ranking, for the same task and tools. */
  ranked: { readonly stamp: string; readonly similarities: ReadonlyMap<string, number> } | null;
};

/** The latest sessions are kept; the calls of a dropped one are read again from the store. */
const MAX_SESSIONS = 200;
/** Commands of a session that are read after a restart. */
const MAX_COMMANDS = 1000;

/** The tools of each session. */
export type SessionToolsById = {
  /** With the calls that it made before a restart. */
  of(session: SessionId): Promise<SessionTools>;
  /** Undefined for a session that was offered nothing yet; its calls are read when it is. */
  known(session: SessionId): SessionTools | undefined;
};

export function createSessionTools(parts: {
  readonly store: Pick<CommandStore, 'list'>;
  readonly logger: Logger;
}): SessionToolsById {
  const sessions = new Map<SessionId, { readonly tools: SessionTools; readonly loaded: Promise<void> }>();

  /** Without its earlier calls a session only has to make one of them again. */
  async function load(session: SessionId, tools: SessionTools): Promise<void> {
    try {
      const earlier = await parts.store.list({ sessionId: session, states: ['done'], limit: MAX_COMMANDS });
      for (const { call, result } of earlier) {
        tools.kept.add(call.tool);
        if (result?.success === true) tools.completed.add(call.tool);
      }
    } catch (error) {
      parts.logger.warn({ error, sessionId: session }, 'earlier calls of a session not read');
    }
  }

  return {
    async of(session) {
      const known = sessions.get(session);
      const tools: SessionTools = known?.tools ?? {
        completed: new Set(),
        kept: new Set(),
        isUnfiltered: false,
        lifted: null,
        task: '',
        ranked: null,
      };
      const loaded = known?.loaded ?? load(session, tools);
      keepLatest(sessions, session, { value: { tools, loaded }, max: MAX_SESSIONS });
      await loaded;
      return tools;
    },
    known: (session) => sessions.get(session)?.tools,
  };
}
