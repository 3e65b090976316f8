import { type EditedText, editedText, editText, textOf } from '../terminal/edit-text.ts';
import type { Key } from '../terminal/keyboard.ts';
import { ruleEnd } from '../runtime/rules/rule-end.ts';
import {
  type CheckedDraft,
  ruleLine,
  type DraftOfRule,
  type Scope,
  type RuleText,
} from '../runtime/rules/rule-draft.ts';

/**
 * A rule for such calls from now on, key by key. Pure.
 *
 *   shown ──Tab──▶ another scope, ──x──▶ another expiry ──↵──▶ stored, and the call approved
 *     └ ──e──▶ edited ──↵──▶ checked: shown, or edited further
 */
export type RememberState = Readonly<{
  draft: DraftOfRule;
  /** Possible scopes, the usual one first. */
  scopes: readonly [Scope, ...Scope[]];
  /** Set while it is edited; `problem` says why the last text was rejected. */
  typed: EditedText | null;
  problem: string | null;
}>;

export type RememberEffect =
  | Readonly<{ kind: 'remember'; draft: DraftOfRule }>
  | Readonly<{ kind: 'check-rule'; text: string }>
  | Readonly<{ kind: 'back' }>;

type Step = Readonly<{ state: RememberState; effect?: RememberEffect }>;

const DAY_MS = 86_400_000;
/** For rules in files; `null`: never. */
const ENDS_IN_DAYS = [30, 7, 1, null] as const;

export function openRemember(
  rule: RuleText,
  { scopes, now }: Readonly<{ scopes: RememberState['scopes']; now: number }>,
): RememberState {
  const scope = isAgreement(rule) ? 'local' : scopes[0];
  const isEndless = isAgreement(rule) || scope === 'session';
  const draft = { rule: isEndless ? rule : endingIn(rule, ENDS_IN_DAYS[0], { now }), scope };
  return { draft, scopes, typed: null, problem: null };
}

export function pressWhileRemembering(state: RememberState, now: number, key: Key): Step {
  if (state.typed !== null) return pressWhileTyping(state, state.typed, key);
  if (key.kind === 'named') {
    if (key.name === 'escape') return { state, effect: { kind: 'back' } };
    if (key.name === 'enter') return { state, effect: { kind: 'remember', draft: state.draft } };
    return key.name === 'tab' && !isAgreement(state.draft.rule)
      ? { state: withDraft(state, nextScope(state, now)) }
      : { state };
  }
  switch (key.text.toLowerCase()) {
    case 'e':
      return { state: { ...state, typed: editedText(ruleLine(state.draft.rule)), problem: null } };
    case 'x':
      return state.draft.scope === 'session' || isAgreement(state.draft.rule)
        ? { state }
        : { state: withDraft(state, nextEnd(state.draft, now)) };
    default:
      return { state };
  }
}

/** Agreed hosts are stored in one place, and don't expire. */
export function isAgreement(rule: RuleText): boolean {
  return 'agree' in rule;
}

/** The edited rule was checked; dropped if the text has changed since. */
export function ruleChecked(state: RememberState, text: string, checked: CheckedDraft): RememberState {
  if (state.typed === null || textOf(state.typed) !== text) return state;
  if (checked.kind === 'unfit') return { ...state, problem: checked.why };
  return { ...state, draft: { ...state.draft, rule: checked.rule }, typed: null, problem: null };
}

function pressWhileTyping(state: RememberState, typed: EditedText, key: Key): Step {
  if (key.kind === 'named' && key.name === 'escape')
    return { state: { ...state, typed: null, problem: null } };
  if (key.kind === 'named' && key.name === 'enter') {
    return { state, effect: { kind: 'check-rule', text: textOf(typed) } };
  }
  return { state: { ...state, typed: editText(typed, key), problem: null } };
}

function withDraft(state: RememberState, draft: DraftOfRule): RememberState {
  return { ...state, draft };
}

/** A session rule ends with its session; a rule in a file expires in 30 days by default. */
function nextScope({ draft: { rule, scope }, scopes }: RememberState, now: number): DraftOfRule {
  const next = scopes[(scopes.indexOf(scope) + 1) % scopes.length] ?? scopes[0];
  const { expires: _, ...endless } = rule;
  if (next === 'session') return { rule: withId(rule, endless), scope: next };
  return { rule: scope === 'session' ? endingIn(rule, ENDS_IN_DAYS[0], { now }) : rule, scope: next };
}

function nextEnd({ rule, scope }: DraftOfRule, now: number): DraftOfRule {
  const at = ENDS_IN_DAYS.findIndex((days) => endOf(days, now) === (rule['expires'] ?? null));
  return { rule: endingIn(rule, ENDS_IN_DAYS[(at + 1) % ENDS_IN_DAYS.length] ?? null, { now }), scope };
}

function endingIn(rule: RuleText, days: number | null, { now }: Readonly<{ now: number }>): RuleText {
  const { expires: _, examples, ...rest } = rule;
  const end = endOf(days, now);
  return withId(rule, {
    ...rest,
    ...(end === null ? {} : { expires: end }),
    ...(examples === undefined ? {} : { examples }),
  });
}

/** Whole days, so that the same choice gives the same text while it is shown. */
function endOf(days: number | null, now: number): string | null {
  return days === null ? null : ruleEnd(Math.ceil(now / DAY_MS + days) * DAY_MS);
}

function withId({ id }: RuleText, rest: Omit<RuleText, 'id'>): RuleText {
  return { ...rest, id };
}
