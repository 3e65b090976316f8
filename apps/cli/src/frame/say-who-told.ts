import type { Holder } from '../house.ts';
import { line, muted } from '../screen/line.ts';
import { duration, timeOfDay } from '../screen/look.ts';
import type { Context } from './context.ts';

type Teller = Pick<Context, 'flags' | 'clock' | 'say' | 'lookOfTalk'>;

/** With `-v`: says who told what was looked at, and in which time. */
export async function sayWhoTold<Answer>(
  { flags, clock, say, lookOfTalk }: Teller,
  who: (timeOf: (at: number) => string) => Promise<string>,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (flags.verbose === 0) return work();
  const from = clock.monotonic();
  const answer = await work();
  const took = duration(clock.monotonic() - from);
  const told = await who((at) => timeOfDay(at, lookOfTalk()));
  say([line(muted(`told by ${told}, in ${took}`))]);
  return answer;
}

/** Beside a coordinator, or where none runs. */
export function storeBeside(holder: Holder | null, timeOf: (at: number) => string): string {
  if (holder === null) return 'what is stored here; nothing runs';
  const { subcommand, pid, host, startedAt } = holder;
  return `what is stored here, beside signalbox ${subcommand} (process ${pid} on ${host}, since ${timeOf(startedAt)})`;
}
