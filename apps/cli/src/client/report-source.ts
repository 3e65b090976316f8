import { basename } from 'node:path';
import { as, line, muted } from '../terminal/line.ts';
import { dateAndTime, duration } from '../terminal/render-context.ts';
import type { LocalAccess } from '../runtime/server/local-access.ts';
import type { Context } from '../runtime/contract/context.ts';

/** With `-v`: says where the data came from, and how long that took. */
export async function reportSource<Answer>(
  { flags, clock, say }: Pick<Context, 'flags' | 'clock' | 'say'>,
  source: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const from = clock.monotonic();
  const answer = await work();
  if (flags.verbose > 0) say([line(muted(`source: ${source}, in ${duration(clock.monotonic() - from)}`))]);
  return answer;
}

export function sourceOf({ socket, url, pid }: LocalAccess): string {
  return socket === undefined ? `the server at ${url}` : `the coordinator (process ${pid})`;
}

export const STORED = 'the stored state';

/** Says once that the data is as of an earlier time (epoch ms): Redis is unreachable. */
export function reportAsOf({
  tell,
  noticeRender,
}: Pick<Context, 'tell' | 'noticeRender'>): (asOf: number) => void {
  let isSaid = false;
  return (asOf) => {
    if (isSaid) return;
    isSaid = true;
    const at = dateAndTime(asOf, noticeRender());
    tell([line(as('warn', 'Redis is unreachable'), `: showing the state as of ${at}`)]);
  };
}

/** For a workspace without any records. */
export function printHowToBegin({ directory, say }: Pick<Context, 'directory' | 'say'>): void {
  say([
    line(
      muted(`No history in "${basename(directory)}" yet.  Start with: `),
      as('accent', 'signalbox run "…"'),
    ),
  ]);
}
