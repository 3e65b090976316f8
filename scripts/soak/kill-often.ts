import { setTimeout as pause } from 'node:timers/promises';

/** Calls it again and again with a pause between half and one and a half times that long, until the signal aborts. */
export async function killOften(
  everyMs: number | null,
  kill: () => Promise<unknown> | void,
  { signal }: Readonly<{ signal: AbortSignal }>,
): Promise<number> {
  if (everyMs === null) return 0;
  for (let kills = 0; ; kills++) {
    try {
      await pause(everyMs * (0.5 + Math.random()), undefined, { signal });
    } catch {
      return kills;
    }
    await kill();
  }
}
