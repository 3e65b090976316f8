import type { Context } from '../../../runtime/contract/context.ts';
import { line, muted } from '../../../terminal/line.ts';
import { timer } from '../../../terminal/look.ts';
import type { Sample } from '../measure/create-meter.ts';
import { milliseconds, perSecond } from './number-text.ts';

const TELLS_EVERY_MS = 5000;

/** Progress without a screen: a line every five seconds. */
export function createMeterLog(context: Pick<Context, 'say'>) {
  let toldAt = 0;
  return {
    sample({ atMs, answered, perSecond: rate, latencyMs }: Sample): void {
      if (atMs - toldAt < TELLS_EVERY_MS) return;
      toldAt = atMs;
      context.say([
        line(`${timer(atMs)} · ${answered} done · ${perSecond(rate)}/s · p99 ${milliseconds(latencyMs.p99)}`),
      ]);
    },
    stage: (says: string) => context.say([line(muted(says))]),
    close: () => undefined,
  };
}
