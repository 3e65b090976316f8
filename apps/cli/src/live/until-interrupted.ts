import type { Context } from '../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../runtime/contract/exit-code.ts';

/** Does endless work until Ctrl-C or SIGTERM, and returns the exit code for that. */
export async function untilInterrupted(
  { interrupts }: Pick<Context, 'interrupts'>,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<ExitCode> {
  const left = new AbortController();
  let exit: ExitCode = EXIT.interrupted;
  const unlisten = interrupts.listen((_, signal) => {
    exit = signal === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
    left.abort();
  });
  try {
    await work(left.signal);
  } finally {
    unlisten();
  }
  return exit;
}
