import { clockTime } from '../terminal/render-context.ts';

/** How long an approval is open; one whose time is over and that is still open has paused its session. */
export function timeLeft(expiresAt: number, now: number): string {
  const left = expiresAt - now;
  return left > 0 ? `${clockTime(left)} left` : `paused ${clockTime(-left)}`;
}
