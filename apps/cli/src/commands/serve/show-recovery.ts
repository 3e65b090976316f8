import type { Coordinator } from '@signalbox/coordinator';
import type { Context } from '../../runtime/contract/context.ts';
import { recoveryLine } from '../../client/recovery-line.ts';
import { as, line } from '../../terminal/line.ts';

const EVERY_MS = 2000;

/** Reports the progress of a start with many commands to recover; returns how to stop. */
export function showRecovery(
  recovery: Coordinator['recovery'],
  { say, clock, json }: Pick<Context, 'say' | 'clock' | 'json'>,
): () => void {
  const first = recovery.progress();
  if (first === null) return () => undefined;
  let cancel = clock.timer(EVERY_MS, tell);

  say([recoveryLine(first)]);
  json({ event: 'recovery.started', of: first.of });

  function tell(): void {
    const progress = recovery.progress();
    if (progress === null) return;
    say([recoveryLine(progress)]);
    cancel = clock.timer(EVERY_MS, tell);
  }

  void reportEnd();
  async function reportEnd(): Promise<void> {
    const recovered = await recovery.over.catch(() => null);
    cancel();
    if (recovered === null) return;
    say([line(as('ok', 'recovered'), ` ${recovered.toLocaleString('en')} commands`)]);
    json({ event: 'recovery.ended', recovered });
  }

  return () => cancel();
}
