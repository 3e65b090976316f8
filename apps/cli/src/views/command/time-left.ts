import { clockTime } from '../../terminal/render-context.ts';

/** Time left for an approval; after that time an open one has paused its session. */
export function timeLeft(expiresAt: number, now: number): string {
  const left = expiresAt - now;
  return left > 0 ? `${clockTime(left)} left` : `paused ${clockTime(-left)}`;
}
