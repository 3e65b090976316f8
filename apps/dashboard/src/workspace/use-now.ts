import { useSyncExternalStore } from 'react';
import { panelStore } from './panel-store.ts';

/** The server's time in epoch milliseconds: requests and responses use its clock, not ours. */
export function workspaceNow(): number {
  return Date.now() + panelStore.get().skewMs;
}

/** One timer for all clocks of the page; it pauses while the page is not live. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let shown = 0;

function tick(): void {
  if (panelStore.get().link.kind !== 'live') return;
  shown = Math.floor(workspaceNow() / 1000) * 1000;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    // No clock was drawn for a while.
    tick();
    timer = setInterval(tick, 1000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function now(): number {
  if (shown === 0) shown = workspaceNow();
  return shown;
}

/** The server's time once a second; frozen when the connection is lost. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, now);
}
