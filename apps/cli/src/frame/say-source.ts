import { line, muted } from '../screen/line.ts';
import { duration } from '../screen/look.ts';
import type { LocalAccess } from '../serve/local-access.ts';
import type { Context } from './context.ts';

/** With `-v`: says where what was read is from, and how long that took. */
export async function saySource<Answer>(
  { flags, clock, say }: Pick<Context, 'flags' | 'clock' | 'say'>,
  source: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const from = clock.monotonic();
  const answer = await work();
  if (flags.verbose > 0) say([line(muted(`told by ${source}, in ${duration(clock.monotonic() - from)}`))]);
  return answer;
}

export function sourceOf({ socket, url, pid }: LocalAccess): string {
  return socket === undefined ? `the server at ${url}` : `the coordinator (process ${pid})`;
}
