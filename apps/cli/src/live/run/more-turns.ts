import type { Clock, ProviderId } from '@signalbox/core';
import { visible } from '@signalbox/core/visible-text';
import type { Key } from '../../terminal/keyboard.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { plural } from '../../terminal/render-context.ts';
import { GUARD_MS } from '../approval-prompt.ts';

/** Turns granted to a session that has used its own, on a yes. */
export const MORE_TURNS = 10;

/** An unfinished session that has used its turns, or whose call failed critically. */
export type OutOfTurns = Readonly<{
  provider: ProviderId;
  turns: number;
  /** The critical failure, in one line. */
  failure?: string | undefined;
  signal: AbortSignal;
}>;

/** The question, to be answered with yes or no. */
export function outOfTurnsText({ provider, turns, failure }: OutOfTurns): string {
  return failure === undefined
    ? `${provider} used ${plural(turns, 'turn')} and has not finished. ${MORE_TURNS} more?`
    : `${provider} stopped at ${visible(failure)}. Continue?`;
}

export type TurnQuestions = Readonly<{
  /** How many more turns the session gets: {@link MORE_TURNS}, or 0; null when the signal aborts first. */
  ask(question: OutOfTurns): Promise<number | null>;
  /** The row of the open prompt; empty if none is open. */
  rows(): readonly Line[];
  /** True if the key was for an open prompt. */
  press(key: Key): boolean;
}>;

/** Prompts for sessions that are out of turns, one at a time, with a single key. */
export function createTurnQuestions(options: {
  readonly clock: Clock;
  /** {@link TurnQuestions.rows} has changed. */
  redraw(): void;
}): TurnQuestions {
  const { clock, redraw } = options;
  type Open = {
    readonly question: OutOfTurns;
    readonly settle: (more: number | null) => void;
    shownAt: number;
  };
  const open: Open[] = [];

  function settle(asked: Open, more: number | null): void {
    const at = open.indexOf(asked);
    if (at < 0) return;
    open.splice(at, 1);
    const [next] = open;
    if (at === 0 && next !== undefined) next.shownAt = clock.now();
    asked.settle(more);
    redraw();
  }

  return {
    ask(question) {
      if (question.signal.aborted) return Promise.resolve(null);
      const { promise, resolve } = Promise.withResolvers<number | null>();
      const asked: Open = { question, settle: resolve, shownAt: clock.now() };
      open.push(asked);
      question.signal.addEventListener('abort', () => settle(asked, null), { once: true });
      redraw();
      return promise;
    },
    rows() {
      const [first] = open;
      if (first === undefined) return [];
      return [
        line(
          as('asks', '! '),
          `${outOfTurnsText(first.question)}  `,
          as('accent', '[y]'),
          ' yes  ',
          as('accent', '[n]'),
          ' stop',
          muted(open.length > 1 ? `   ${open.length - 1} more waiting` : ''),
        ),
      ];
    },
    press(key) {
      const [first] = open;
      if (first === undefined) return false;
      // Keys typed too soon were meant for something else.
      if (key.kind !== 'text' || clock.now() - first.shownAt < GUARD_MS) return false;
      const letter = key.text.toLowerCase();
      if (letter !== 'y' && letter !== 'n') return false;
      settle(first, letter === 'y' ? MORE_TURNS : 0);
      return true;
    },
  };
}
