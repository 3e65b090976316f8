import type { EditedText } from '../../terminal/edit-text.ts';
import type { Key } from '../../terminal/keyboard.ts';
import type { Line } from '../../terminal/line.ts';
import type { FilterWords } from './complete-filter.ts';
import type { LanePredicate } from './lane-filter.ts';
import type { LaneChoice } from './lane-list.ts';

/** What a person has chosen to see. */
export type WatchUi = Readonly<{
  selected: string | null;
  cover: WatchOverlay;
  /** Rows that the cover is scrolled down. */
  scroll: number;
  typing: Readonly<{
    what: 'search' | 'filter' | 'task';
    text: EditedText;
    problem: string | null;
    /** What the last term could become. */
    options: readonly string[];
  }> | null;
  filter: Readonly<{ text: string; terms: LanePredicate }>;
  search: string;
  confirm: Confirm | null;
  byNeed: boolean;
  /** Sessions that have ended are shown among those at work; else they are one row. */
  showsEnded: boolean;
  /** The pane that has the screen for itself. */
  zoom: (typeof PANES)[number] | null;
  /** The picture stands still until Space is pressed again. */
  held: boolean;
}>;

/** Those that can have the screen for themselves, in the order of the arrows. */
export const PANES = ['output', 'events', 'waits'] as const;

/** What lies over the lanes. */
export type WatchOverlay =
  | Readonly<{ kind: 'none' | 'help' | 'question' }>
  | Readonly<{ kind: 'text'; title: string; lines: readonly Line[] }>;

export type Confirm =
  | Readonly<{ kind: 'cancel'; id: string }>
  | Readonly<{ kind: 'undo'; id: string; paths: readonly string[] }>;

/** What keys may be about at this moment. */
export type KeyFacts = Readonly<{
  lanes: readonly string[];
  /** The one that is selected on the screen, whether a person has chosen it or not. */
  shown: string | null;
  /** Lanes in which the search stands. */
  found: readonly string[];
  /** Of the selected lane: what is not done, and what ended last. */
  live: string | null;
  last: string | null;
  /** The open question: whether the lanes' screen shows all of what would run, and whether `v` has shown everything. */
  question: Readonly<{ whole: boolean; full: boolean }> | null;
  /** Of what lies over the lanes: rows that are seen at once, and how far down it goes. */
  reach: Readonly<{ page: number; most: number }>;
  /** A person types or confirms an answer. */
  answering: boolean;
  /** Whether answers, and cancels and undos, would count now. */
  canAnswer: boolean;
  canOperate: boolean;
  /** Whether sessions can be started from here. */
  canStart: boolean;
  words: FilterWords;
}>;

export type WatchEffect =
  /** The review comes back to this screen. */
  | Readonly<{ kind: 'quit' | 'review' }>
  | Readonly<{ kind: 'start'; task: string }>
  /** For the one who asks. */
  | Readonly<{ kind: 'answer'; key: Key }>
  | Readonly<{ kind: 'open' | 'output' | 'cancel' | 'plan-undo' | 'copy'; id: string }>
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

/** What of the lanes is shown, and in which order. */
export function laneChoice({ filter, byNeed, showsEnded }: WatchUi): LaneChoice {
  return { filter: filter.terms, byNeed, showsEnded };
}

/** Lays something over the lanes. */
export function covered(ui: WatchUi, cover: WatchOverlay): WatchUi {
  return { ...ui, cover, scroll: 0 };
}
