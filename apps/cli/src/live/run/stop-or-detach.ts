import type { Interrupts } from '../../runtime/contract/interrupts.ts';

/** What the user wants after pressing Ctrl-C. */
export type StopChoice = 'stop' | 'detach' | 'go-on';

/**
 * Handles Ctrl-C. With prompts: the first asks what to do; the second allows no new calls and gives running ones 10 s;
 * the third kills every process now. Without prompts it begins with the second step, and at SIGTERM too, unless that
 * detaches: at a reboot, terminals get it as well as the coordinator, which leaves its runs to the next one.
 */
export function stopOrDetach(options: {
  readonly interrupts: Interrupts;
  /** Null if prompts are impossible. */
  readonly ask: (signal: AbortSignal) => Promise<StopChoice> | null;
  readonly atTermination: 'stop' | 'detach';
  readonly stop: (mode: 'graceful' | 'force') => void;
  readonly detach: () => void;
}): Readonly<{ exitCode(): number | null; close(): void }> {
  const { interrupts, ask, atTermination, stop, detach } = options;
  let exitCode: number | null = null;
  let asking: AbortController | null = null;
  let isStopping = false;

  function stopNext(signal: 'SIGINT' | 'SIGTERM'): void {
    exitCode ??= signal === 'SIGINT' ? 130 : 143;
    asking?.abort();
    asking = null;
    stop(isStopping ? 'force' : 'graceful');
    isStopping = true;
  }

  const unlisten = interrupts.listen((_, signal) => {
    if (signal === 'SIGTERM' && atTermination === 'detach' && !isStopping) {
      exitCode = 143;
      return detach();
    }
    if (isStopping || asking !== null || signal === 'SIGTERM') return stopNext(signal);
    const question = new AbortController();
    const answer = ask(question.signal);
    if (answer === null) return stopNext(signal);
    asking = question;
    void chosen(answer, signal, question);
  });

  async function chosen(
    answer: Promise<StopChoice>,
    signal: 'SIGINT' | 'SIGTERM',
    question: AbortController,
  ): Promise<void> {
    const choice = await answer;
    if (asking !== question) return;
    asking = null;
    if (choice === 'stop') stopNext(signal);
    else if (choice === 'detach') detach();
  }

  return {
    exitCode: () => exitCode,
    close() {
      asking?.abort();
      asking = null;
      unlisten();
    },
  };
}
