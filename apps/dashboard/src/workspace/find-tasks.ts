import type { Event } from '@signalbox/core';
import { client } from '../api/client.ts';
import type { PanelStore } from './panel-store.ts';

/**
 * Finds the tasks of agents' sessions, which no event contains: for each the server is asked once, at its first call.
 *
 * Signalbox's own sessions send it when they start.
 */
export function createTaskFinder(store: PanelStore): (events: readonly Event[]) => void {
  const asked = new Set<string>();

  async function find(sessionId: string, commandId: string): Promise<void> {
    asked.add(sessionId);
    try {
      const { context } = await client.getCommand({ id: commandId });
      store.setTask(sessionId, context.task ?? null);
    } catch {
      // A lane is fine without its task; the session's next call tries again.
    } finally {
      asked.delete(sessionId);
    }
  }

  return (events) => {
    const { panel } = store.get();
    if (panel === null) return;
    for (const event of events) {
      if (event.type !== 'command_submitted') continue;
      const { sessionId, commandId } = event;
      if (panel.tasks.has(sessionId) || panel.sessions.has(sessionId) || asked.has(sessionId)) continue;
      void find(sessionId, commandId);
    }
  };
}
