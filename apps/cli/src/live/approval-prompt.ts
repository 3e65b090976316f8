import type { CallHash, CommandRecord, Failure, PersonQuestion } from '@signalbox/core';
import { type EditedText, editedText, editText, textOf } from '../terminal/edit-text.ts';
import type { Key } from '../terminal/keyboard.ts';
import { needsSecondKey } from '../views/command/approval-view.ts';
import { shellLineOf } from '../runtime/contract/shell-line.ts';
import { questionHash } from '../runtime/rules/question-hash.ts';
import { openRemember, pressWhileRemembering, type RememberState, ruleChecked } from './remember-prompt.ts';
import {
  type CheckedDraft,
  type Proposal,
  type DraftOfRule,
  scopesFor,
} from '../runtime/rules/rule-draft.ts';

/**
 * The prompt for one approval, key by key. Pure: time and keys in, actions out.
 *
 *   asking ──a──▶ granted            (dangerous: ──a──▶ confirming ──↵──▶ granted)
 *      │ ──d──▶ reason ──↵──▶ refused
 *      │ ──m──▶ editing ──↵──▶ judged ──a──▶ granted, changed
 *      │ ──+──▶ five more minutes, still asking
 *      │ ──r──▶ remembering ──↵──▶ granted, and a rule stored
 *      │ ──1…6──▶ answered with a choice, ──t──▶ replying ──↵──▶ answered   (a model's question)
 *      └ ──Esc──▶ later: nothing is decided
 *
 * An approval that ends elsewhere while the user types is `gone` until they acknowledge it: further typing must not
 * answer the next one.
 */
export type PromptState = Readonly<{
  record: CommandRecord;
  /** When it appeared on the screen; keys of the first 400 ms were meant for something else. */
  shownAt: number;
  at:
    | Readonly<{ step: 'asking'; help: boolean }>
    | Readonly<{ step: 'confirming'; changed: ChangedLine | null }>
    | Readonly<{ step: 'reason'; text: EditedText }>
    | Readonly<{ step: 'replying'; text: EditedText }>
    | Readonly<{ step: 'editing'; text: EditedText; judged: JudgedCommand | null }>
    | Readonly<{ step: 'judged'; line: string; judged: JudgedCommand }>
    | Readonly<{ step: 'remembering'; remember: RememberState }>
    | Readonly<{ step: 'gone' }>;
  /** Why no rule can be made of it; set once a rule was requested. */
  never?: string;
}>;

/** An edited line, and the hash of the approval for it that was shown. */
export type ChangedLine = Readonly<{ line: string; shown: CallHash }>;

/** The judged changed line: the command with its verdict, or why it is not valid. */
export type JudgedCommand = CommandRecord | Failure;

export type PromptEffect =
  | Readonly<{ kind: 'approve' | 'extend' | 'view' | 'later' | 'leave' | 'interrupt' }>
  | Readonly<{ kind: 'deny'; reason: string }>
  /** In words, to a question. */
  | Readonly<{ kind: 'answer'; text: string }>
  /** Judge the changed line after a pause in typing, or at once. */
  | Readonly<{ kind: 'judge'; line: string; now: boolean }>
  | Readonly<{ kind: 'approve-changed'; changed: ChangedLine }>
  /** Propose a rule. */
  | Readonly<{ kind: 'propose' }>
  | Readonly<{ kind: 'check-rule'; text: string }>
  | Readonly<{ kind: 'approve-and-remember'; draft: DraftOfRule }>;

type Step = Readonly<{ state: PromptState; effect?: PromptEffect }>;

/** Time that a prompt must be on the screen before a key counts, in milliseconds. */
export const GUARD_MS = 400;

export function openPrompt(record: CommandRecord, now: number): PromptState {
  return { record, shownAt: now, at: { step: 'asking', help: false } };
}

export function pressKey(state: PromptState, now: number, key: Key): Step {
  if (key.kind === 'named' && key.name === 'ctrl-c') return { state, effect: { kind: 'interrupt' } };
  if (now - state.shownAt < GUARD_MS) return { state };
  switch (state.at.step) {
    case 'asking':
      return pressWhileAsking(state, key);
    case 'confirming': {
      const { changed } = state.at;
      if (!isNamed(key, 'enter')) return { state: asking(state) };
      return { state, effect: changed === null ? { kind: 'approve' } : { kind: 'approve-changed', changed } };
    }
    case 'reason': {
      const { text } = state.at;
      if (isNamed(key, 'escape')) return { state: asking(state) };
      if (isNamed(key, 'enter')) return { state, effect: { kind: 'deny', reason: textOf(text).trim() } };
      return { state: { ...state, at: { step: 'reason', text: editText(text, key) } } };
    }
    case 'replying':
      return pressWhileReplying(state, state.at.text, key);
    case 'editing':
      return pressWhileEditing(state, state.at.text, key);
    case 'judged':
      return pressWhenJudged(state, state.at, key);
    case 'remembering':
      return pressForRule(state, state.at.remember, { key, now });
    case 'gone':
      return isNamed(key, 'escape') ? { state, effect: { kind: 'leave' } } : { state };
  }
}

/** The approval has ended or was renewed; null if the user was not in the middle of answering. */
export function questionGone(state: PromptState): PromptState | null {
  return state.at.step === 'asking' ? null : { ...state, at: { step: 'gone' } };
}

/** Result of `propose`; dropped if the user has moved on. */
export function rulesProposed(state: PromptState, now: number, proposal: Proposal): PromptState {
  if (state.at.step !== 'asking') return state;
  if (proposal.kind === 'never') return { ...state, never: proposal.why };
  const remember = openRemember(proposal.rule, { scopes: scopesFor(state.record), now });
  return { ...state, at: { step: 'remembering', remember } };
}

/** Result of `check-rule`. */
export function typedRuleChecked(state: PromptState, text: string, checked: CheckedDraft): PromptState {
  if (state.at.step !== 'remembering') return state;
  return { ...state, at: { step: 'remembering', remember: ruleChecked(state.at.remember, text, checked) } };
}

function pressForRule(
  state: PromptState,
  before: RememberState,
  { key, now }: Readonly<{ key: Key; now: number }>,
): Step {
  const { state: remember, effect } = pressWhileRemembering(before, now, key);
  const next: PromptState = { ...state, at: { step: 'remembering', remember } };
  switch (effect?.kind) {
    case undefined:
      return { state: next };
    case 'back':
      return { state: asking(state) };
    case 'check-rule':
      return { state: next, effect };
    case 'remember':
      return { state: next, effect: { kind: 'approve-and-remember', draft: effect.draft } };
  }
}

/** The verdict on a changed line; dropped if the text has changed since. */
export function lineJudged(
  state: PromptState,
  line: string,
  { judged, final }: Readonly<{ judged: JudgedCommand; final: boolean }>,
): PromptState {
  if (state.at.step !== 'editing' || textOf(state.at.text) !== line) return state;
  return { ...state, at: final ? { step: 'judged', line, judged } : { ...state.at, judged } };
}

/** Whether the user may approve it: it is neither blocked nor invalid. */
export function isApprovable(judged: JudgedCommand): judged is CommandRecord {
  if (!('id' in judged) || judged.approval?.question !== undefined) return false;
  return judged.verdict?.level !== 'blocked' && judged.ruling?.kind !== 'deny';
}

function pressWhileAsking(state: PromptState, key: Key): Step {
  if (isNamed(key, 'escape')) return { state, effect: { kind: 'later' } };
  const question = state.record.approval?.question;
  if (question !== undefined) return pressOnQuestion(state, question, key);
  if (key.kind !== 'text') return { state };
  switch (key.text.toLowerCase()) {
    case 'a':
      if (!isApprovable(state.record)) return { state };
      if (needsSecondKey(state.record))
        return { state: { ...state, at: { step: 'confirming', changed: null } } };
      return { state, effect: { kind: 'approve' } };
    case 'd':
      return { state: { ...state, at: { step: 'reason', text: editedText('') } } };
    case 'm': {
      const line = shellLineOf(state.record);
      if (line === undefined || line.includes('\n')) return { state };
      return { state: { ...state, at: { step: 'editing', text: editedText(line), judged: null } } };
    }
    case 'v':
      return { state, effect: { kind: 'view' } };
    case '+':
      return { state, effect: { kind: 'extend' } };
    case 'r':
      return isApprovable(state.record) ? { state, effect: { kind: 'propose' } } : { state };
    case '?':
      return { state: { ...state, at: { step: 'asking', help: true } } };
    default:
      return { state };
  }
}

/** A question takes no key that would decide about a call. */
function pressOnQuestion(state: PromptState, { choices, allowText }: PersonQuestion, key: Key): Step {
  const replying: PromptState = { ...state, at: { step: 'replying', text: editedText('') } };
  if (isNamed(key, 'enter')) return { state: allowText ? replying : state };
  if (key.kind !== 'text') return { state };
  const choice = /^[1-9]$/.test(key.text) ? choices[Number(key.text) - 1] : undefined;
  if (choice !== undefined) return { state, effect: { kind: 'answer', text: choice } };
  switch (key.text.toLowerCase()) {
    case 't':
      return { state: allowText ? replying : state };
    case 'd':
      return { state: { ...state, at: { step: 'reason', text: editedText('') } } };
    case 'v':
      return { state, effect: { kind: 'view' } };
    case '+':
      return { state, effect: { kind: 'extend' } };
    default:
      return { state };
  }
}

function pressWhileReplying(state: PromptState, before: EditedText, key: Key): Step {
  if (isNamed(key, 'escape')) return { state: asking(state) };
  const text = textOf(before).trim();
  if (isNamed(key, 'enter')) return text === '' ? { state } : { state, effect: { kind: 'answer', text } };
  return { state: { ...state, at: { step: 'replying', text: editText(before, key) } } };
}

function pressWhileEditing(state: PromptState, before: EditedText, key: Key): Step {
  if (isNamed(key, 'escape')) return { state: asking(state) };
  const line = textOf(before);
  if (isNamed(key, 'enter')) {
    return line.trim() === '' ? { state } : { state, effect: { kind: 'judge', line, now: true } };
  }
  const text = editText(before, key);
  if (textOf(text) === line) {
    const judged = state.at.step === 'editing' ? state.at.judged : null;
    return { state: { ...state, at: { step: 'editing', text, judged } } };
  }
  return {
    state: { ...state, at: { step: 'editing', text, judged: null } },
    effect: { kind: 'judge', line: textOf(text), now: false },
  };
}

function pressWhenJudged(
  state: PromptState,
  { line, judged }: Readonly<{ line: string; judged: JudgedCommand }>,
  key: Key,
): Step {
  if (isNamed(key, 'escape')) return { state: asking(state) };
  if (key.kind !== 'text') return { state };
  switch (key.text.toLowerCase()) {
    case 'a':
      if (!isApprovable(judged)) return { state };
      return approveChanged(state, { line, shown: questionHash(judged) }, judged);
    case 'e':
      return { state: { ...state, at: { step: 'editing', text: editedText(line), judged } } };
    case 'd':
      return { state: { ...state, at: { step: 'reason', text: editedText('') } } };
    default:
      return { state };
  }
}

function approveChanged(state: PromptState, changed: ChangedLine, judged: CommandRecord): Step {
  if (needsSecondKey(judged)) return { state: { ...state, at: { step: 'confirming', changed } } };
  return { state, effect: { kind: 'approve-changed', changed } };
}

function asking(state: PromptState): PromptState {
  return { ...state, at: { step: 'asking', help: false } };
}

function isNamed(key: Key, name: string): boolean {
  return key.kind === 'named' && key.name === name;
}
