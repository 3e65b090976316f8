import { commandsIn } from '@signalbox/api';
import { errorText, SignalboxError } from '@signalbox/core';
import type { Context } from '../../runtime/contract/context.ts';
import { createApprovalPrompter } from '../approval-prompter.ts';
import type { Key } from '../../terminal/keyboard.ts';
import type { Rendering } from '../../terminal/render.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import { approvalsClient } from '../../client/approvals-client.ts';
import type { ApprovalData } from '../../views/command/approval-view.ts';
import { filterWords, laneList, lanesWith, selectedLane } from './frame/lane-list.ts';
import { createIconProbe, ICON_PROBE } from './icon-probe.ts';
import { createPainter } from './painter.ts';
import { type ConnectionUpdate, mayChangeQuestions } from './frame/connection-update.ts';
import { followServer } from './server-link.ts';
import { startSession } from './start-session.ts';
import { createWatchActions } from './watch-actions.ts';
import { answeredElsewhere } from './answered-elsewhere.ts';
import { createAttention } from './frame/attention.ts';
import type { FrameData, Size } from './frame/frame-data.ts';
import { overlayScroll, isQuestionWhole, watchFrame } from './watch-frame.ts';
import { pressWatchKey } from './watch-keys.ts';
import { covered, type KeyFacts, laneChoice, type WatchEffect, type WatchUi } from './frame/watch-ui.ts';
import { canAnswer, canOperate, newWatchState, watchAfter, type WatchState } from './frame/watch-state.ts';

/** At most ten frames a second. */
const FRAME_MS = 100;
/** Timers advance, and a resize is noticed, at this interval. */
const TICK_MS = 500;
/** How long the result of a key is shown. */
const NOTE_MS = 8000;

/** The live screen of `signalbox watch`; settles when the user leaves, with what to show again after the review. */
export async function watchLive(
  context: Context,
  {
    rings,
    ...link
  }: Readonly<{
    ui: WatchUi;
    rings: boolean;
    access: LocalAccess;
    /** Finds the current coordinator. */
    find: () => Promise<LocalAccess>;
  }>,
): Promise<Readonly<{ left: 'quit' } | { left: 'review'; ui: WatchUi }>> {
  const { clock } = context;
  const left = Promise.withResolvers<'quit' | 'review'>();
  const quit = (): void => left.resolve('quit');
  let state: WatchState = newWatchState();
  /** Updates since the last frame: applied before the next one, and before a key. */
  let incoming: ConnectionUpdate[] = [];
  /** The paused screen, since when, and how many events came meanwhile. */
  let held: Readonly<{ state: WatchState; at: number; missed: number }> | null = null;
  let ui = link.ui;
  let question: ApprovalData | null = null;
  let note: Readonly<{ line: Line; until: number }> | null = null;
  let cancelFrame = (): void => undefined;
  let closed = false;
  let drawnAt = -Infinity;

  /** The terminal draws icons with another width than we count: use ASCII. */
  let isAscii = context.terminal.ascii;
  const rendering = (): Rendering => ({ ...context.rendering(), ascii: isAscii });
  const painter = createPainter(context.draw, rendering, context.rows);
  const attention = createAttention(context.draw, ring);
  /** The coordinator of the shown lanes: keys act on it. */
  let reached = link.access;
  const access = (): LocalAccess => reached;
  const find = async (): Promise<LocalAccess> => (reached = await link.find());
  const actions = createWatchActions({ access, context });
  const prompter = createApprovalPrompter({
    approvals: approvalsClient(access, () => state.you.name),
    clock,
    render: context.noticeRender,
    show: (lines) => {
      const [last] = lines.slice(-1);
      if (last !== undefined) tell(last);
    },
    showQuestion(data) {
      // The next prompt opens among the lanes, not under the keys that answered the last one.
      const isNext = question !== null && question.record.id !== data.record.id;
      if (isNext && ui.cover.kind === 'question') ui = covered(ui, { kind: 'none' });
      question = data;
    },
    // Esc closes an overlay.
    laterKey: 'N',
    redraw: schedule,
    interrupt: quit,
    bell: ring,
  });

  function ring(): void {
    if (rings) context.draw('\x07');
  }

  function tell(row: Line): void {
    note = { line: row, until: clock.now() + NOTE_MS };
    schedule();
  }

  function reportTrouble(error: unknown): void {
    const [next = ''] = error instanceof SignalboxError ? error.next : [];
    const message = errorText(error);
    tell(line(' ', as('danger', 'error'), `: ${message}`, muted(next === '' ? '' : `  next: ${next}`)));
  }

  /** The first change after a quiet period is drawn soon; later frames keep their distance. */
  function schedule(): void {
    if (closed) return;
    cancelFrame();
    const since = clock.now() - drawnAt;
    cancelFrame = clock.timer(Math.max(0, Math.min(FRAME_MS, FRAME_MS - since)), draw);
  }

  function draw(): void {
    foldIncoming();
    closeAnswered();
    drawnAt = clock.now();
    painter.frame(watchFrame(frameData(), size(), context.noticeRender()));
    cancelFrame();
    cancelFrame = clock.timer(TICK_MS, draw);
  }

  function size(): Size {
    return { width: context.noticeRender().width, height: context.rows() - 1 };
  }

  /** Its content was read once; its time may have been extended since. */
  function openQuestion(): ApprovalData | null {
    const asked = prompter.asked();
    return question === null || asked?.id !== question.record.id ? null : { ...question, record: asked };
  }

  /** Closes the full view with its approval: otherwise its keys would stay over the lanes. */
  function closeAnswered(): void {
    if (ui.cover.kind === 'question' && openQuestion() === null) ui = covered(ui, { kind: 'none' });
  }

  function frameData(): FrameData {
    const prompt = prompter.rows(context.noticeRender());
    return {
      state: held?.state ?? state,
      held: held === null ? null : { forMs: clock.now() - held.at, missed: held.missed },
      ui,
      question: openQuestion(),
      prompt,
      answering: prompter.isAnswering(),
      canStart: canOperate(state) && state.you.role === 'operator' && access().socket !== undefined,
      later: prompter.later(),
      note: note !== null && note.until > clock.now() ? note.line : null,
    };
  }

  function facts(): KeyFacts {
    const data = frameData();
    const { lanes } = laneList(data.state, laneChoice(ui));
    const shown = selectedLane(lanes, ui.selected);
    return {
      lanes: lanes.map(({ lane }) => lane.id),
      shown: shown?.lane.id ?? null,
      found: lanesWith(data.state, lanes, { search: ui.search }),
      live: shown?.command?.id ?? null,
      last: shown?.lane.last?.id ?? null,
      session: shown?.lane.session?.state === 'running' ? shown.lane.session.id : null,
      question:
        data.question === null
          ? null
          : {
              whole: isQuestionWhole(data.question, size(), context.noticeRender()),
              full: data.question.full,
              asksWords: data.question.record.approval?.question !== undefined,
            },
      scrollRange: overlayScroll(data, size(), context.noticeRender()),
      answering: data.answering,
      canAnswer: canAnswer(state),
      canOperate: canOperate(state),
      canStart: data.canStart,
      words: filterWords(data.state),
    };
  }

  function press(key: Key): void {
    foldIncoming();
    closeAnswered();
    const step = pressWatchKey(ui, key, facts());
    if (step.ui.held !== ui.held) held = step.ui.held ? { state, at: clock.now(), missed: 0 } : null;
    ui = step.ui;
    if (step.effect !== undefined) void act(step.effect).catch(reportTrouble);
    schedule();
  }

  async function act(effect: WatchEffect): Promise<void> {
    switch (effect.kind) {
      case 'quit':
      case 'review':
        left.resolve(effect.kind);
        return;
      case 'start':
        tell(line(muted(' starting …')));
        return tell(await startSession(effect.task, { access: access(), context }));
      case 'answer':
        prompter.press(effect.key);
        return;
      case 'copy':
        context.draw(`\x1b]52;c;${Buffer.from(effect.id).toString('base64')}\x07`);
        return tell(line(` copied ${effect.id}`));
      case 'open':
        ui = covered(ui, await actions.open(effect.id, state));
        return schedule();
      case 'output':
        ui = covered(ui, await actions.output(effect.id, state.outputs.get(effect.id)));
        return schedule();
      case 'plan-undo': {
        const paths = await actions.pathsOf(effect.id);
        ui = { ...ui, confirm: { kind: 'undo', id: effect.id, paths } };
        return schedule();
      }
      case 'tell':
        return tell(line(muted(` ${effect.text}`)));
      case 'cancel':
        return tell(await actions.cancel(effect.id));
      case 'compress':
        return tell(await actions.compress(effect.id));
      case 'say':
        return tell(await actions.say(effect.id, effect));
      case 'undo':
        return tell(await actions.undo(effect.id, effect.paths));
    }
  }

  function receive(update: ConnectionUpdate): void {
    incoming.push(update);
    schedule();
  }

  /** Reads the approvals once, however many events arrived. */
  function foldIncoming(): void {
    const batch = incoming;
    incoming = [];
    state = watchAfter(state, batch, { now: clock.now() });
    for (const update of batch) {
      if (update.kind !== 'event') continue;
      if (held !== null) held = { ...held, missed: held.missed + 1 };
      const asked = prompter.asked();
      const elsewhere = asked === null ? null : answeredElsewhere(update.event, asked);
      if (elsewhere !== null) tell(elsewhere);
    }
    if (batch.length > 0) attention.note(commandsIn(state, 'awaiting_approval').length, state.workspace);
    // After an error the next connection reads them again.
    if (batch.some(mayChangeQuestions)) prompter.wake().catch(() => undefined);
  }

  const stopKeys = context.keyboard.listen(
    press,
    createIconProbe(() => {
      isAscii = true;
      tell(line(' ASCII: this terminal draws some characters at a different width than Unicode defines'));
    }),
  );
  if (!isAscii) context.draw(ICON_PROBE);
  const stopInterrupts = context.interrupts.listen(quit);
  const restore = (): void => {
    attention.close();
    painter.close();
  };
  // Before Node prints an error, so that it appears on the normal screen.
  process.once('uncaughtExceptionMonitor', restore).once('exit', restore);
  const followed = followServer({ find, past: true, clock, tell: receive });
  schedule();
  try {
    const why = await left.promise;
    return why === 'review' ? { left: why, ui: { ...ui, held: false } } : { left: why };
  } finally {
    closed = true;
    followed.close();
    prompter.close();
    cancelFrame();
    stopKeys();
    stopInterrupts();
    process.off('uncaughtExceptionMonitor', restore).off('exit', restore);
    restore();
  }
}
