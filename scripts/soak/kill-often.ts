import { setTimeout as pause } from 'node:timers/promises';

/** Calls it again and again with a pause between half and one and a half times that long, until the signal aborts. */
export async function killOften(
  everyMs: number | null,
  kill: () => Promise<unknown> | void,
  { signal }: Readonly<{ signal: AbortSignal }>,
): Promise<number> {
  let kills = 0;
  while (everyMs !== null) {
    try {
      await pause(everyMs * (0.5 + Math.random()), undefined, { signal });
    } catch {
      break;
    }
    await kill();
    kills += 1;
  }
  return kills;
}
