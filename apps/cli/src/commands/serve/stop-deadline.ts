import { EXIT } from '../../runtime/contract/exit-code.ts';

/** Commands have 5 s to end and requests 2 s; the rest is for a busy machine. */
const STOP_WITHIN_MS = 20_000;

/**
 * Ends the process when a stop takes too long, as when no file can be opened any more (`ulimit -n`). The effect is that
 * of `kill -9`: running commands die with it, and the next start settles them.
 */
export function endByDeadline({
  say,
  exit,
  after = unnoticed,
}: {
  readonly say: (text: string) => void;
  readonly exit: (exitCode: number) => void;
  /** Must not keep a stopped process alive. */
  readonly after?: (delayMs: number, callback: () => void) => void;
}): void {
  after(STOP_WITHIN_MS, () => {
    say(`not stopped after ${STOP_WITHIN_MS / 1000} s: exiting now; the next start settles what ran`);
    exit(EXIT.failed);
  });
}

function unnoticed(delayMs: number, callback: () => void): void {
  setTimeout(callback, delayMs).unref();
}
