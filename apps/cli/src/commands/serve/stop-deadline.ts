import { EXIT } from '../../runtime/contract/exit-code.ts';

/** Commands have 5 s to end and requests 2 s; the rest is for a busy machine. */
const STOP_WITHIN_MS = 20_000;

/**
 * Ends the process when a stop takes too long, as where no file can be opened any more (`ulimit -n`). It is then as after
 * `kill -9`: what ran dies with it, and the next start settles it.
 */
export function endByDeadline({
  say,
  exit,
  after = unnoticed,
}: {
  readonly say: (text: string) => void;
  readonly exit: (exitCode: number) => void;
  /** Must not keep a process that has stopped. */
  readonly after?: (delayMs: number, callback: () => void) => void;
}): void {
  after(STOP_WITHIN_MS, () => {
    say(`not stopped after ${STOP_WITHIN_MS / 1000} s: it ends now, and the next start settles what ran`);
    exit(EXIT.failed);
  });
}

function unnoticed(delayMs: number, callback: () => void): void {
  setTimeout(callback, delayMs).unref();
}
