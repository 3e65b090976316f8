import type { SessionId } from '@signalbox/core';
import type { SessionMessage } from '../session/session-options.ts';
import type { Leaders } from './leaders.ts';

/** Requests to a session, answered by the coordinator that leads it; false if none does. */
export type SessionRequests = {
  /** Ends it: no new turns and calls. */
  stop(id: SessionId, by: string): Promise<boolean>;
  /** Adds a message of a person before its next turn. */
  say(id: SessionId, message: SessionMessage): Promise<boolean>;
  /** Compresses its conversation before its next turn. */
  compress(id: SessionId, by: string): Promise<boolean>;
};

/** Asks this process first, then the other coordinators of the workspace. */
export function createSessionRequests(
  own: SessionRequests | undefined,
  leaders: Pick<Leaders, 'askAll'> | undefined,
): SessionRequests {
  return {
    async stop(id, by) {
      if ((await own?.stop(id, by)) === true) return true;
      return (await leaders?.askAll({ kind: 'stop-session', id, by }, 'stopped')) ?? false;
    },
    async say(id, message) {
      if ((await own?.say(id, message)) === true) return true;
      return (await leaders?.askAll({ kind: 'say-to-session', id, ...message }, 'said')) ?? false;
    },
    async compress(id, by) {
      if ((await own?.compress(id, by)) === true) return true;
      return (await leaders?.askAll({ kind: 'compress-session', id, by }, 'requested')) ?? false;
    },
  };
}
