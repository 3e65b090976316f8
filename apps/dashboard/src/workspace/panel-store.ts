import { useSyncExternalStore } from 'react';
import type { Event } from '@signalbox/core';
import type { ApiRefusal } from '../api/client.ts';
import type { Snapshot } from '@signalbox/api';
import { panelAfter } from './panel-after.ts';
import { type Panel, panelOf } from './panel.ts';

/** State of the connection. A page that is not `live` shows the past, and decides nothing. */
export type Link = Readonly<
  | { kind: 'connecting' }
  | { kind: 'live'; caughtUp: number | null; reloaded: boolean }
  | { kind: 'reconnecting'; seenAt: number }
  /** The server answers but its backend does not: its data is as of `asOf`. */
  | { kind: 'away'; asOf: number; why: string }
  | { kind: 'refused'; refusal: ApiRefusal }
  | { kind: 'failed'; refusal: ApiRefusal }
>;

export type PanelState = Readonly<{
  link: Link;
  panel: Panel | null;
  /** Server's clock minus ours, in milliseconds. */
  skewMs: number;
}>;

export type PanelStore = {
  get(): PanelState;
  subscribe(listener: () => void): () => void;
  /** Starts over from a snapshot. */
  reset(snapshot: Snapshot, ourNow: number): void;
  /** Ignores events that the snapshot includes: collected before it was taken, they would revert it. */
  apply(events: readonly Event[]): void;
  /** Both clocks at one moment. */
  setTime(serverNow: number, ourNow: number): void;
  /** Sets the task of an agent's session; null: it has none. */
  setTask(sessionId: string, task: string | null): void;
  setLink(link: Link): void;
};

/** Transmission time of a stream; clocks that differ by less show the same. */
const SAME_TIME_MS = 1000;

/** For tests; the page has one below. */
export function createPanelStore(): PanelStore {
  let state: PanelState = { link: { kind: 'connecting' }, panel: null, skewMs: 0 };
  const listeners = new Set<() => void>();

  function set(next: Partial<PanelState>): void {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  }

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    reset(snapshot, ourNow) {
      // The event list outlives a reload: it says what happened, and that stays true.
      const feed = state.panel?.feed ?? [];
      set({ panel: { ...panelOf(snapshot), feed }, skewMs: snapshot.now - ourNow });
    },
    apply(events) {
      const { panel } = state;
      if (panel === null) return;
      set({ panel: panelAfter(panel, events) });
    },
    setTime(serverNow, ourNow) {
      const skewMs = serverNow - ourNow;
      if (Math.abs(skewMs - state.skewMs) > SAME_TIME_MS) set({ skewMs });
    },
    setTask(sessionId, task) {
      const { panel } = state;
      if (panel !== null) set({ panel: { ...panel, tasks: new Map(panel.tasks).set(sessionId, task) } });
    },
    setLink: (link) => set({ link }),
  };
}

/** The store of this page. */
export const panelStore = createPanelStore();

/** A part of the state; the component redraws when that part changes. */
export function usePanel<Part>(select: (state: PanelState) => Part): Part {
  return useSyncExternalStore(panelStore.subscribe, () => select(panelStore.get()));
}

/** The panel, inside pages: the frame shows none before there is one. */
export function useWorkspace<Part>(select: (panel: Panel) => Part): Part {
  return usePanel(({ panel }) => {
    if (panel === null) throw new Error('Cannot show a page before the first snapshot');
    return select(panel);
  });
}

/** Whether the page is current; decisions require it. */
export function useIsLive(): boolean {
  return usePanel(({ link }) => link.kind === 'live');
}

/** Whether the user may answer approvals. */
export function useMayDecide(): boolean {
  return useWorkspace(({ you }) => you.role === 'operator' || you.role === 'approver');
}

/** Whether the user may cancel, undo, set the mode and write rules. */
export function useMayOperate(): boolean {
  return useWorkspace(({ you }) => you.role === 'operator');
}
