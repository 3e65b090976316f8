import type { Coordinator } from '@signalbox/coordinator';
import type { Context } from '../frame/context.ts';
import { as, line, muted } from '../screen/line.ts';

const EVERY_MS = 2000;

/** Says how far a start is that has many commands of before to take up; answers how to stop. */
export function tellRecovery(
  recovery: Coordinator['recovery'],
  { say, clock, json }: Pick<Context, 'say' | 'clock' | 'json'>,
): () => void {
  const first = recovery.progress();
  if (first === null) return () => undefined;
  const count = (commands: number): string => commands.toLocaleString('en');
  let cancel = clock.timer(EVERY_MS, tell);

  say([
    line(as('warn', 'recovering'), ` ${count(first.of)} commands of before; new calls queue behind them`),
  ]);
  json({ event: 'recovery.started', of: first.of });

  function tell(): void {
    const progress = recovery.progress();
    if (progress === null) return;
    say([line(muted(`recovered ${count(progress.done)} of ${count(progress.of)}`))]);
    cancel = clock.timer(EVERY_MS, tell);
  }

  void tellEnd();
  async function tellEnd(): Promise<void> {
    const recovered = await recovery.over.catch(() => null);
    cancel();
    if (recovered === null) return;
    say([line(as('ok', 'recovered'), ` ${count(recovered)} commands`)]);
    json({ event: 'recovery.ended', recovered });
  }

  return () => cancel();
}
