import { FIVE_MINUTES_MS } from '@signalbox/api';
import type { ApprovalAnswer } from '@signalbox/coordinator';
import { type Clock, type CommandId, type CommandRecord, errorText } from '@signalbox/core';
import type { Key } from '../terminal/keyboard.ts';
import { as, BLANK, type Line, line } from '../terminal/line.ts';
import type { RenderContext } from '../terminal/render-context.ts';
import { type ApprovalData, approvalView } from '../views/command/approval-view.ts';
import { withShellLine } from '../runtime/contract/shell-line.ts';
import { promptView } from './prompt-view.ts';
import {
  type ChangedLine,
  lineJudged,
  openPrompt,
  pressKey,
  type PromptEffect,
  type PromptState,
  questionGone,
  rulesProposed,
  typedRuleChecked,
} from './approval-prompt.ts';
import { outcomeLine, ruleLines } from './outcome-line.ts';
import type { ApprovalsClient } from '../client/approvals-client.ts';
import type { DraftOfRule } from '../runtime/rules/rule-draft.ts';

export type ApprovalPrompterOptions = Readonly<{
  approvals: ApprovalsClient;
  clock: Clock;
  render(): RenderContext;
  /** Prints permanent lines. */
  show(lines: readonly Line[]): void;
  /** Shows the whole approval with its reasons; absent: it is printed with `show`. */
  showQuestion?(question: ApprovalData): void;
  /** Display name of the key that postpones an approval; default: `Esc`. */
  laterKey?: string;
  /** Called when an approval is postponed. */
  onLater?(record: CommandRecord): void;
  /** {@link ApprovalPrompter.rows} has changed. */
  redraw(): void;
  interrupt(): void;
  bell(): void;
}>;

/** Prompts the user for pending approvals one by one, key by key. */
export type ApprovalPrompter = Readonly<{
  /**
   * Reads the pending approvals; call it when one may have been added or removed. Calls during a read share the next
   * one.
   */
  wake(): Promise<void>;
  press(key: Key): void;
  /** The rows of the open prompt; empty if none is open. */
  rows(render: RenderContext): readonly Line[];
  /** The current open approval with its time left; null if none is open. Called for each event, so it draws nothing. */
  asked(): CommandRecord | null;
  /** Number of postponed approvals; `p` brings them back. */
  later(): number;
  /** The user has begun to answer: types a reason, edits the line, confirms. */
  isAnswering(): boolean;
  close(): void;
}>;

const JUDGE_AFTER_MS = 150;
const BELL_BEFORE_MS = 60_000;

export function createApprovalPrompter(options: ApprovalPrompterOptions): ApprovalPrompter {
  const { approvals, clock, render, show, redraw } = options;
  let prompt: PromptState | null = null;
  let waiting = 0;
  let announced: CommandId | null = null;
  let cancelJudge = (): void => undefined;
  let waking: Promise<void> = Promise.resolve();
  let nextPoll: Promise<void> | null = null;
  const left = new Set<CommandId>();
  /** Brought back: prompted before all others. */
  const back = new Set<CommandId>();

  function wake(): Promise<void> {
    nextPoll ??= waking.then(readPending, readPending);
    waking = nextPoll;
    return waking;
  }

  async function readPending(): Promise<void> {
    nextPoll = null;
    const pending = await approvals.pending();
    waiting = pending.length;
    for (const ids of [left, back]) {
      for (const id of ids) if (!pending.some((record) => record.id === id)) ids.delete(id);
    }
    const shown = prompt;
    if (shown !== null) {
      const still = pending.find(({ id }) => id === shown.record.id);
      const isOpen = still !== undefined && isSameQuestion(still, shown.record);
      // Its event reports how it was answered.
      if (still?.approval?.expiresAt !== shown.record.approval?.expiresAt) announced = null;
      prompt = isOpen ? { ...shown, record: still } : questionGone(shown);
      if (prompt !== null) {
        redraw();
        return;
      }
    }
    const next = pending.find(({ id }) => back.has(id)) ?? pending.find(({ id }) => !left.has(id));
    if (next !== undefined) await open(next);
    redraw();
  }

  /** The open one is postponed: it comes after the others that were. */
  function bringBack(): void {
    for (const id of left) back.add(id);
    left.clear();
    prompt = null;
    void wake();
  }

  async function open(record: CommandRecord): Promise<void> {
    back.delete(record.id);
    await showBlock(record, false);
    prompt = openPrompt(record, clock.now());
  }

  async function showBlock(record: CommandRecord, full: boolean): Promise<void> {
    const preview = await approvals.preview(record);
    // Another prompt has opened: keys must answer what is shown.
    if (full && prompt?.record.id !== record.id) return;
    const data = { record, full, preview };
    if (options.showQuestion === undefined) show([BLANK, ...approvalView(data, render()), BLANK]);
    else options.showQuestion(data);
  }

  async function act(effect: PromptEffect, state: PromptState): Promise<void> {
    const { record } = state;
    switch (effect.kind) {
      case 'approve':
        return answer(record, { kind: 'approve' });
      case 'extend':
        return extend(record);
      case 'deny':
        return answer(record, { kind: 'deny', ...(effect.reason === '' ? {} : { reason: effect.reason }) });
      case 'answer':
        return answer(record, { kind: 'answer', text: effect.text });
      case 'approve-changed':
        return answer(record, modification(record, effect.changed));
      case 'propose':
        return propose(record);
      case 'check-rule':
        return checkRule(record, effect.text);
      case 'approve-and-remember':
        return remember(record, effect.draft);
      case 'judge':
        cancelJudge();
        if (effect.now) return judge(record, effect.line, { final: true });
        cancelJudge = clock.timer(JUDGE_AFTER_MS, () => void judge(record, effect.line, { final: false }));
        return;
      case 'view':
        return showBlock(record, true);
      case 'later':
        left.add(record.id);
        prompt = null;
        options.onLater?.(record);
        return wake();
      case 'leave':
        prompt = null;
        return wake();
      case 'interrupt':
        options.interrupt();
    }
  }

  async function judge(
    record: CommandRecord,
    text: string,
    { final }: Readonly<{ final: boolean }>,
  ): Promise<void> {
    const judged = await approvals.judge(record.id, withShellLine(record.call.args, text));
    if (prompt?.record.id === record.id) prompt = lineJudged(prompt, text, { judged, final });
    redraw();
  }

  async function propose(record: CommandRecord): Promise<void> {
    const proposal = await approvals.rules.propose(record);
    if (prompt?.record.id === record.id) prompt = rulesProposed(prompt, clock.now(), proposal);
    redraw();
  }

  async function checkRule(record: CommandRecord, text: string): Promise<void> {
    const checked = await approvals.rules.check(record, text);
    if (prompt?.record.id === record.id) prompt = typedRuleChecked(prompt, text, checked);
    redraw();
  }

  /** Approves the call as shown first; failing to store the rule does not revoke that. */
  async function remember(record: CommandRecord, draft: DraftOfRule): Promise<void> {
    prompt = null;
    const made = await approvals.approveAndStore(record, draft);
    show([outcomeLine(record, made.outcome), ...ruleLines(made)]);
    await wake();
  }

  /** The approval keeps its place and gets more time. */
  async function extend(record: CommandRecord): Promise<void> {
    const outcome = await approvals.answer(record, { kind: 'extend', ms: FIVE_MINUTES_MS });
    if (outcome.kind !== 'extended') show([outcomeLine(record, outcome)]);
    await wake();
  }

  async function answer(record: CommandRecord, given: ApprovalAnswer): Promise<void> {
    prompt = null;
    const outcome = await approvals.answer(record, given);
    show([outcomeLine(record, outcome)]);
    await wake();
  }

  return {
    wake,
    press(key) {
      const isBack = key.kind === 'text' && key.text === 'p' && left.size > 0;
      if (isBack && (prompt === null || prompt.at.step === 'asking')) return bringBack();
      if (prompt === null) {
        if (key.kind === 'named' && key.name === 'ctrl-c') options.interrupt();
        return;
      }
      const { state, effect } = pressKey(prompt, clock.now(), key);
      prompt = state;
      if (effect !== undefined) {
        void act(effect, state).catch((error: unknown) => {
          show([line(as('danger', 'error'), `: ${errorText(error)}`)]);
        });
      }
      redraw();
    },
    rows(now) {
      if (prompt === null) return [];
      const { approval, id } = prompt.record;
      if (approval !== null && approval.expiresAt - now.now < BELL_BEFORE_MS && announced !== id) {
        announced = id;
        options.bell();
      }
      const { laterKey = 'Esc' } = options;
      return promptView(prompt, { waiting, me: approvals.me, laterKey }, now);
    },
    asked: () => prompt?.record ?? null,
    later: () => left.size,
    isAnswering: () => prompt !== null && prompt.at.step !== 'asking',
    close() {
      cancelJudge();
      prompt = null;
    },
  };
}

function modification({ call }: CommandRecord, { line: changed, shown }: ChangedLine): ApprovalAnswer {
  return { kind: 'modify', args: withShellLine(call.args, changed), shown };
}

function isSameQuestion({ approval: one }: CommandRecord, { approval: other }: CommandRecord): boolean {
  return one?.callHash === other?.callHash && one?.grants.length === other?.grants.length;
}
