import {
  type CommandId,
  type CommandRecord,
  type CommandStore,
  errorText,
  type Event,
} from '@signalbox/core';
import { applyEvents, lanesOf, newWorkspaceState, runCheckText } from '@signalbox/api';
import type { ApprovalsClient } from '../../client/approvals-client.ts';
import type { Context } from '../../runtime/contract/context.ts';
import type { Key } from '../../terminal/keyboard.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { createLiveRegion } from '../../terminal/live-region.ts';
import { answeredLines } from '../../views/command/question-view.ts';
import { endingView } from '../../views/command/ending-view.ts';
import { lanesView, runFooter } from '../../views/lanes-view.ts';
import { sessionView } from '../../views/session-line-view.ts';
import { type ApprovalPrompter, createApprovalPrompter } from '../approval-prompter.ts';
import { createPendingReads } from './pending-reads.ts';
import { createMessagePrompt, type TypedMessage } from './message-prompt.ts';
import { createTurnQuestions, type OutOfTurns } from './more-turns.ts';
import { createStopQuestion } from './stop-question.ts';
import type { StopChoice } from './stop-or-detach.ts';

/** Shows a run as it happens. */
export type RunScreen = Readonly<{
  /** Settles when the event and all earlier ones are shown. */
  event(event: Event): Promise<void>;
  /** Prints permanent lines. */
  note(lines: readonly Line[]): void;
  /** Shown in the footer: `stopping; Ctrl-C again stops processes now`. */
  hint(text: string): void;
  /**
   * Prompts whether a session that has used its turns gets more; null if prompts are impossible, or it was answered
   * elsewhere.
   */
  moreTurns(question: OutOfTurns): Promise<number | null>;
  /** Prompts what Ctrl-C should do; null if prompts are impossible. */
  askStop(signal: AbortSignal): Promise<StopChoice> | null;
  /** The user has begun to answer a prompt. */
  isAnswering(): boolean;
  /** Settles when everything is printed; removes the live region. */
  close(): Promise<void>;
}>;

export type RunScreenOptions = Readonly<{
  context: Context;
  /** A record is committed together with its events, so it is never older than the event. */
  store: Pick<CommandStore, 'get'>;
  /** When the run began, epoch ms. */
  startedAt: number;
  /** `d` was pressed; null if the run does not continue without this terminal. */
  onDetach: (() => void) | null;
  approvals: ApprovalsClient;
  /** Says something to sessions; rejects where it can't. */
  say: (message: TypedMessage) => Promise<void>;
  budget: number | null;
  /** Print every read, and everything models say. */
  isVerbose: boolean;
}>;

const FRAME_MS = 100;

/**
 * The live form: ended commands go to the scrollback, one line each; lanes and the open prompt are redrawn below, in at
 * most a third of the screen. Written without Ink: its static part bypasses the frame limit, and a frame of a few rows
 * with a real scrollback above needs no more than {@link createLiveRegion}.
 */
export function createRunScreen(options: RunScreenOptions): RunScreen {
  const { context, store, approvals, budget, isVerbose, onDetach } = options;
  /** Answers given here are reported where they are given. */
  const answeredHere = new Set<CommandId>();
  const { clock, terminal, keyboard, interrupts } = context;
  const region = createLiveRegion(context.draw, context.rendering);
  const reads = createPendingReads();
  let state = newWorkspaceState();
  let hint = onDetach === null ? 'i message   Ctrl-C stop' : 'i message   d detach   Ctrl-C stop';
  let printing: Promise<void> = Promise.resolve();
  let cancelFrame: (() => void) | null = null;
  let closed = false;

  const prompter: ApprovalPrompter = createApprovalPrompter({
    approvals: {
      ...approvals,
      answer(record, answer) {
        answeredHere.add(record.id);
        return approvals.answer(record, answer);
      },
    },
    clock,
    render: context.noticeRender,
    show: (lines) => {
      region.above(lines);
    },
    redraw: schedule,
    interrupt: interrupts.raise,
    bell: () => {
      context.draw('\x07');
    },
  });
  const turnQuestions = createTurnQuestions({ clock, redraw: schedule });
  const messages = createMessagePrompt({
    recipients: () => [...state.sessions.values()].filter((session) => session.state === 'running'),
    send(message) {
      options.say(message).catch((error: unknown) => {
        region.above([line(as('danger', 'error'), `: ${errorText(error)}`)]);
      });
    },
    redraw: schedule,
  });
  const stopQuestion = createStopQuestion(schedule, onDetach !== null);
  const stopKeys = keyboard.available ? keyboard.listen(press) : null;
  schedule();

  function schedule(): void {
    if (closed || cancelFrame !== null) return;
    cancelFrame = clock.timer(FRAME_MS, () => {
      cancelFrame = null;
      draw();
      // Keeps timers moving, at most ten frames a second.
      schedule();
    });
  }

  /** The Ctrl-C prompt comes first, then a message being typed; a turns prompt is answered when no approval is open. */
  function press(key: Key): void {
    if (stopQuestion.press(key)) return;
    const isFree = prompter.asked() === null;
    if (messages.isOpen() && messages.press(key)) return;
    if (isFree && turnQuestions.press(key)) return;
    const isDetach = isFree && key.kind === 'text' && key.text === 'd' && turnQuestions.rows().length === 0;
    if (isDetach && onDetach !== null) onDetach();
    else if (prompter.isAnswering() || !messages.press(key)) prompter.press(key);
  }

  function draw(): void {
    // One cell stays free, so that no row of the region ever wraps.
    const whole = context.noticeRender();
    const render = { ...whole, width: whole.width - 1 };
    const approval = prompter.rows(render);
    const stop = stopQuestion.rows();
    const typed = messages.rows(render);
    const question = approval.length > 0 ? approval : turnQuestions.rows();
    const prompt = stop.length > 0 ? stop : typed.length > 0 ? typed : question;
    const room = Math.max(3, Math.floor(terminal.rows / 3) - 2 - prompt.length);
    const later = prompter.later();
    const note = later > 0 ? `${later} left for later: p shows them again   ${hint}` : hint;
    const lanes = lanesOf(state).filter(({ session }) => session !== null);
    region.frame([
      line(muted('─'.repeat(Math.max(1, render.width)))),
      ...lanesView(lanes, state, { max: room, render }),
      ...prompt,
      runFooter({ startedAt: options.startedAt, lanes, endings: state.ended, budget, note }, render),
    ]);
  }

  const flushed = (at: number): readonly Line[] =>
    reads.flush({ at, render: context.noticeRender(), nameWidth: nameWidth() });

  function nameWidth(): number {
    return Math.max(9, ...[...state.sessions.values()].map(({ provider }) => provider.length));
  }

  async function tell(event: Event): Promise<void> {
    switch (event.type) {
      case 'command_completed':
      case 'command_failed':
      case 'command_denied':
      case 'command_cancelled': {
        const record = await store.get(event.commandId);
        if (record !== null) reportEnding(record, event.at);
        return;
      }
      case 'turn_ended':
      case 'turn_failed':
      case 'message_said':
      case 'session_resumed':
      case 'session_waiting':
      case 'context_compressed':
      case 'session_ended': {
        const lines = sessionView(event, isVerbose, {
          render: context.noticeRender(),
          nameWidth: nameWidth(),
        });
        const isReported = lines.length > 0 && !(context.flags.quiet && event.type === 'turn_ended');
        if (isReported || event.type === 'session_ended')
          region.above([...flushed(event.at), ...(isReported ? lines : [])]);
        return;
      }
      case 'run_checked':
        // The summary has the last one.
        if (event.next === 'again')
          region.above([...flushed(event.at), line(as('danger', ' ✗ '), runCheckText(event))]);
        return;
      case 'approval_requested':
      case 'approval_extended':
        await prompter.wake();
        return;
      case 'command_approved':
      case 'question_answered':
        await prompter.wake();
        if (!answeredHere.has(event.commandId)) region.above(answeredLines(event));
        return;
      // Shown by the lanes and the footer, or not at all.
      case 'session_started':
      case 'session_resting':
      case 'turn_started':
      case 'requirements_lifted':
      case 'turns_requested':
      case 'turns_granted':
      case 'model_request_ended':
      case 'calls_saved':
      case 'run_started':
      case 'run_ended':
      case 'command_submitted':
      case 'command_classified':
      case 'hallucination_suspect':
      case 'approval_counted':
      case 'approval_overdue':
      case 'command_queued':
      case 'command_prioritized':
      case 'command_started':
      case 'command_output':
      case 'command_rolled_back':
      case 'gate_decided':
      case 'network_connection':
      case 'tool_call_start':
      case 'tool_call_result':
      case 'mode_changed':
      case 'coordinator_started':
      case 'coordinator_stopped':
      case 'warning_raised':
      case 'warning_cleared':
        return;
      default:
        // A missing type does not compile; types of a newer server are ignored.
        event satisfies never;
    }
  }

  function reportEnding(record: CommandRecord, at: number): void {
    const folds = !isVerbose && reads.add(record);
    if (!folds && !context.flags.quiet) {
      region.above([
        ...flushed(at),
        ...endingView(record, context.noticeRender(), { nameWidth: nameWidth() }),
      ]);
    }
    if (record.approval !== null) void prompter.wake();
  }

  return {
    event(event) {
      state = applyEvents(state, [event]);
      printing = printing
        .then(() => tell(event))
        .catch((error: unknown) => {
          context.log.error({ error }, 'event not shown');
        });
      schedule();
      return printing;
    },
    note(lines) {
      region.above(lines);
    },
    isAnswering: prompter.isAnswering,
    moreTurns: async (question) => (stopKeys === null ? null : turnQuestions.ask(question)),
    askStop: (signal) => (stopKeys === null ? null : stopQuestion.ask(signal)),
    hint(text) {
      hint = text;
      schedule();
    },
    async close() {
      await printing;
      if (closed) return;
      closed = true;
      cancelFrame?.();
      prompter.close();
      stopKeys?.();
      region.above(flushed(clock.now()));
      region.clear();
    },
  };
}
