import { useSyncExternalStore } from 'react';
import type { Event } from '@signalbox/core';
import type { ApiRefusal } from '../api/client.ts';
import type { Snapshot } from '@signalbox/api';
import { panelAfter } from './panel-after.ts';
import { type Panel, panelOf } from './panel.ts';

/** How the page stands to its server. Whoever is not `live` shows what was, and takes no decision. */
export type Link = Readonly<
  | { kind: 'connecting' }
  | { kind: 'live'; caughtUp: number | null; reloaded: boolean }
  | { kind: 'reconnecting'; seenAt: number }
  /** The server answers, and its backend does not: what it tells is of `asOf`. */
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
  /** Begins anew from a snapshot. */
  reset(snapshot: Snapshot, ourNow: number): void;
  /** What the snapshot knows already is left out: gathered before it was taken, it would turn things back. */
  apply(events: readonly Event[]): void;
  /** Of both clocks at one moment. */
  setTime(serverNow: number, ourNow: number): void;
  /** What a session of an agent works on; null: it does not say. */
  tellTask(sessionId: string, task: string | null): void;
  setLink(link: Link): void;
};

/** What a stream needs to bring the time here; clocks that are no further apart show the same. */
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
      // The list of events outlives a reload: it says what happened, and that stays true.
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
    tellTask(sessionId, task) {
      const { panel } = state;
      if (panel !== null) set({ panel: { ...panel, tasks: new Map(panel.tasks).set(sessionId, task) } });
    },
    setLink: (link) => set({ link }),
  };
}

/** The store of this page. */
export const panelStore = createPanelStore();

/** A part of the state; the component redraws when that part is another one. */
export function usePanel<Part>(select: (state: PanelState) => Part): Part {
  return useSyncExternalStore(panelStore.subscribe, () => select(panelStore.get()));
}

/** The panel, inside of pages: the frame shows none before there is one. */
export function useWorkspace<Part>(select: (panel: Panel) => Part): Part {
  return usePanel(({ panel }) => {
    if (panel === null) throw new Error('Cannot show a page before the first snapshot');
    return select(panel);
  });
}

/** Whether what is shown is true now; decisions need it. */
export function useIsLive(): boolean {
  return usePanel(({ link }) => link.kind === 'live');
}

/** Whether who looks may answer a question. */
export function useMayDecide(): boolean {
  return useWorkspace(({ you }) => you.role === 'operator' || you.role === 'approver');
}

/** Whether who looks may cancel, undo, set the mode and write rules. */
export function useMayOperate(): boolean {
  return useWorkspace(({ you }) => you.role === 'operator');
}
