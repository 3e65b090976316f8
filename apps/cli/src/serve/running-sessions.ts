import type { SessionHandle } from '@signalbox/coordinator';
import type { SessionId } from '@signalbox/core';
import type { StartSession } from '../create-session-starter.ts';
import type { SessionOptions } from '../house.ts';

/** The sessions that this process leads. */
export type RunningSessions = Readonly<{
  /** @throws {UnavailableError} `missing-api-key` before anything is asked of the provider. */
  start(options: SessionOptions): Promise<SessionHandle>;
  /** False when no such session runs here. */
  stop(id: SessionId, by: string): boolean;
  /** Settles when the last one has ended. */
  stopAll(by: string): Promise<void>;
}>;

/** @param starter loads what sessions need at the first one: the vendors' SDKs are large. */
export function createRunningSessions(starter: () => Promise<StartSession>): RunningSessions {
  const running = new Map<SessionId, SessionHandle>();
  let loading: Promise<StartSession> | undefined;

  return {
    async start(options) {
      loading ??= starter();
      const start = await loading;
      const handle = await start(options);
      running.set(handle.sessionId, handle);
      void handle.finished.then(() => running.delete(handle.sessionId));
      return handle;
    },
    stop(id, by) {
      const handle = running.get(id);
      handle?.cancel(`stopped by ${by}`);
      return handle !== undefined;
    },
    async stopAll(by) {
      const all = [...running.values()];
      for (const handle of all) handle.cancel(`stopped by ${by}`);
      await Promise.all(all.map(({ finished }) => finished));
    },
  };
}
