import type { EditedText } from '../../../terminal/edit-text.ts';
import type { Key } from '../../../terminal/keyboard.ts';
import type { Line } from '../../../terminal/line.ts';
import type { FilterWords } from './complete-filter.ts';
import type { LanePredicate } from './lane-filter.ts';
import type { LaneChoice } from './lane-list.ts';

/** What the user has chosen to see. */
export type WatchUi = Readonly<{
  selected: string | null;
  cover: WatchOverlay;
  /** Scroll offset of the overlay, in rows. */
  scroll: number;
  typing: Readonly<{
    what: 'search' | 'filter' | 'task' | 'message';
    text: EditedText;
    problem: string | null;
    /** Candidates for the last term. */
    options: readonly string[];
    /** For a message: the session, whichever lane is selected later. */
    to?: string;
  }> | null;
  filter: Readonly<{ text: string; terms: LanePredicate }>;
  search: string;
  confirm: Confirm | null;
  byNeed: boolean;
  /** Whether ended sessions are shown among the others; otherwise they are one row. */
  showsEnded: boolean;
  /** The pane shown over the whole screen. */
  zoom: (typeof PANES)[number] | null;
  /** The screen is paused until Space is pressed again. */
  held: boolean;
}>;

/** Panes that can fill the screen, in the order of the arrows. */
export const PANES = ['output', 'events', 'waits'] as const;

/** The overlay over the lanes. */
export type WatchOverlay =
  | Readonly<{ kind: 'none' | 'help' | 'question' }>
  | Readonly<{ kind: 'text'; title: string; lines: readonly Line[] }>;

export type Confirm =
  | Readonly<{ kind: 'cancel'; id: string }>
  | Readonly<{ kind: 'undo'; id: string; paths: readonly string[] }>;

/** What keys act on right now. */
export type KeyFacts = Readonly<{
  lanes: readonly string[];
  /** The selected lane, chosen by the user or by default. */
  shown: string | null;
  /** Lanes that match the search. */
  found: readonly string[];
  /** In the selected lane: the unfinished command, and the last that ended. */
  live: string | null;
  last: string | null;
  /** The running session of the selected lane; null for an agent's. */
  session: string | null;
  /** The open approval: whether the lanes' screen shows all of what would run, and whether `v` has shown everything. */
  question: Readonly<{
    whole: boolean;
    full: boolean;
    /** Number keys answer it. */ asksWords?: boolean;
  }> | null;
  /** For an overlay: visible rows, and the largest scroll offset. */
  scrollRange: Readonly<{ page: number; max: number }>;
  /** The user is typing or confirming an answer. */
  answering: boolean;
  /** Whether answers, cancels and undos would be accepted now. */
  canAnswer: boolean;
  canOperate: boolean;
  /** Whether sessions can be started from here. */
  canStart: boolean;
  words: FilterWords;
}>;

export type WatchEffect =
  /** The review returns to this screen. */
  | Readonly<{ kind: 'quit' | 'review' }>
  | Readonly<{ kind: 'start'; task: string }>
  | Readonly<{ kind: 'tell'; text: string }>
  | Readonly<{ kind: 'say'; id: string; text: string; interrupts: boolean }>
  /** For the approval prompter. */
  | Readonly<{ kind: 'answer'; key: Key }>
  | Readonly<{ kind: 'open' | 'output' | 'cancel' | 'compress' | 'plan-undo' | 'copy'; id: string }>
  | Readonly<{ kind: 'undo'; id: string; paths: readonly string[] }>;

export function newWatchUi(filter: WatchUi['filter'] = { text: '', terms: [] }): WatchUi {
  return {
    selected: null,
    cover: { kind: 'none' },
    scroll: 0,
    typing: null,
    filter,
    search: '',
    confirm: null,
    byNeed: false,
    showsEnded: false,
    zoom: null,
    held: false,
  };
}

/** Which lanes are shown, and in which order. */
export function laneChoice({ filter, byNeed, showsEnded }: WatchUi): LaneChoice {
  return { filter: filter.terms, byNeed, showsEnded };
}

/** Opens an overlay over the lanes. */
export function covered(ui: WatchUi, cover: WatchOverlay): WatchUi {
  return { ...ui, cover, scroll: 0 };
}
