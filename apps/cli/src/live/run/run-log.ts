import { applyEvents, commandsIn, newWorkspaceState, type WorkspaceState } from '@signalbox/api';
import { ASK_PERSON, type CommandId, type Event, shortId } from '@signalbox/core';
import type { Context } from '../../runtime/contract/context.ts';
import { line } from '../../terminal/line.ts';
import { heartbeat, plainEvent } from '../../views/plain-event-view.ts';
import type { ApprovalsClient } from '../../client/approvals-client.ts';
import { askByLines } from '../ask-by-lines.ts';
import { MORE_TURNS, type OutOfTurns, outOfTurnsText } from './more-turns.ts';
import type { RunScreen } from './run-screen.ts';

const HEARTBEAT_MS = 30_000;

/**
 * The form without a live screen: events as lines, full ids, a heartbeat after 30 s of silence. A user at a terminal
 * without single-key input is prompted by lines; otherwise there are no prompts, and the way to answer from another
 * terminal is printed.
 */
export function createRunLog(options: {
  readonly context: Context;
  readonly approvals: ApprovalsClient;
  /** Whether it continues without this terminal. Default false. */
  readonly canDetach?: boolean;
  /** Without prompts here, print how to answer from another terminal. Default true. */
  readonly printsHowToAnswer?: boolean;
}): RunScreen {
  const { context, approvals, printsHowToAnswer = true, canDetach = false } = options;
  const { clock, flags, terminal } = context;
  const asks = flags.input && terminal.stdin.tty && terminal.stderr.tty && !flags.json;
  const over = new AbortController();
  let state = newWorkspaceState();
  let asking: Promise<void> = Promise.resolve();
  let lastAt = clock.now();
  let cancelHeartbeat = scheduleHeartbeat();

  function scheduleHeartbeat(): () => void {
    return clock.timer(HEARTBEAT_MS, () => {
      const reason = currentActivity(state);
      if (reason !== null) context.say([heartbeat(clock.now(), clock.now() - lastAt, { reason })]);
      cancelHeartbeat = scheduleHeartbeat();
    });
  }

  function printHowToAnswer(event: Extract<Event, { type: 'approval_requested' }>): void {
    const id = shortId(event.commandId);
    if (event.question !== undefined) {
      const { text, choices } = event.question;
      context.tell([
        line(`  ${event.provider} asks: ${text}`),
        ...choices.map((choice, at) => line(`    ${at + 1}  ${choice}`)),
        line(`  Answer from a terminal in this directory: signalbox answer ${id} "TEXT"`),
      ]);
      return;
    }
    const hash = event.callHash.slice(0, 8);
    context.tell([
      line(`  ${event.provider} needs approval. From a terminal in this directory:`),
      line(`    signalbox approve ${id} --expect ${hash}`),
      line(`    signalbox deny ${id} --expect ${hash} -m "…"`),
    ]);
  }

  async function askByLine(question: OutOfTurns): Promise<number | null> {
    const signal = AbortSignal.any([question.signal, over.signal]);
    const answer = await context.askLine(`${outOfTurnsText(question)} [y/N] `, signal);
    if (answer === null) return null;
    return /^y(?:es)?$/i.test(answer.trim()) ? MORE_TURNS : 0;
  }

  async function ask(id: CommandId): Promise<void> {
    const record = (await approvals.pending()).find((one) => one.id === id);
    if (record !== undefined) await askByLines(record, { context, approvals, signal: over.signal });
  }

  return {
    async event(event) {
      state = applyEvents(state, [event]);
      lastAt = clock.now();
      cancelHeartbeat();
      cancelHeartbeat = scheduleHeartbeat();
      if (flags.json) context.json(event);
      else {
        const shown = plainEvent(event, flags.verbose > 1);
        if (shown !== null) context.say([shown]);
      }
      if (event.type !== 'approval_requested') return;
      if (asks) asking = asking.then(() => ask(event.commandId));
      else if (printsHowToAnswer) printHowToAnswer(event);
    },
    note(lines) {
      context.say(lines);
    },
    moreTurns(question) {
      if (!asks) return Promise.resolve(null);
      const answer = asking.then(() => askByLine(question));
      asking = answer.then(() => undefined);
      return answer;
    },
    askStop(signal) {
      if (!asks) return null;
      const detach = canDetach ? ' · d detach, the run continues' : '';
      const until = AbortSignal.any([signal, over.signal]);
      return context.askLine(`Stop the run? [s stop${detach} · Enter continue] `, until).then((typed) => {
        const letter = typed?.trim().toLowerCase();
        if (letter === 's') return 'stop';
        return letter === 'd' && canDetach ? 'detach' : 'go-on';
      });
    },
    // A typed line is read as a whole.
    isAnswering: () => false,
    hint() {
      // There is no footer for it.
    },
    async close() {
      cancelHeartbeat();
      over.abort();
      await asking;
    },
  };
}

/** Why nothing is printed: an approval is pending, a command runs, a model thinks. */
function currentActivity(state: WorkspaceState): string | null {
  const [asks] = commandsIn(state, 'awaiting_approval');
  if (asks?.tool === ASK_PERSON) return `question ${asks.id} (signalbox answer ${shortId(asks.id)})`;
  if (asks !== undefined) return `approval ${asks.id} (signalbox approve ${shortId(asks.id)})`;
  const [runs] = commandsIn(state, 'running');
  if (runs !== undefined) return `${runs.id} ${runs.title} runs`;
  const thinking = [...state.sessions.values()]
    .filter(({ state: of, isResting, waitsFor }) => of === 'running' && !isResting && waitsFor === null)
    .map(({ provider }) => provider);
  return thinking.length === 0 ? null : `${thinking.join(', ')} thinking`;
}
