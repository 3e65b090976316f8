import type { Key } from '../../terminal/keyboard.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import type { StopChoice } from './stop-or-detach.ts';

/** Asks with a single key what Ctrl-C should do. */
export type StopQuestion = Readonly<{
  ask(signal: AbortSignal): Promise<StopChoice>;
  /** The row of the open prompt; empty if none is open. */
  rows(): readonly Line[];
  /** True if the key was for the open prompt. Ctrl-C never is. */
  press(key: Key): boolean;
}>;

/** @param canDetach whether the run continues without this terminal */
export function createStopQuestion(redraw: () => void, canDetach: boolean): StopQuestion {
  let settle: ((choice: StopChoice) => void) | null = null;

  function answer(choice: StopChoice): void {
    settle?.(choice);
    settle = null;
    redraw();
  }

  return {
    ask(signal) {
      const { promise, resolve } = Promise.withResolvers<StopChoice>();
      settle = resolve;
      signal.addEventListener('abort', () => answer('go-on'), { once: true });
      redraw();
      return promise;
    },
    rows() {
      if (settle === null) return [];
      return [
        line(
          as('asks', '! '),
          'Stop the run?  ',
          as('accent', '[s]'),
          ' stop  ',
          ...(canDetach ? [as('accent', '[d]'), ' detach, the run continues  '] : []),
          as('accent', '[Enter]'),
          ' continue',
          muted('   Ctrl-C stops'),
        ),
      ];
    },
    press(key) {
      if (settle === null) return false;
      const choice = choiceOf(key, canDetach);
      if (choice !== null) answer(choice);
      return choice !== null;
    },
  };
}

function choiceOf(key: Key, canDetach: boolean): StopChoice | null {
  if (key.kind === 'named') return key.name === 'enter' || key.name === 'escape' ? 'go-on' : null;
  if (key.kind !== 'text') return null;
  const letter = key.text.toLowerCase();
  if (letter === 's') return 'stop';
  return letter === 'd' && canDetach ? 'detach' : null;
}
