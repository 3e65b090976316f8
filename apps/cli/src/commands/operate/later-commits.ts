import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandRecord, PreviewCommit } from '@signalbox/core';
import { commitsSince } from '@signalbox/sandbox';
import { namedServer } from '../../client/named-server.ts';
import type { Context } from '../../runtime/contract/context.ts';
import type { ShownDiff } from '../../runtime/contract/file-diff.ts';
import { gap } from '../../terminal/cells.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { plural } from '../../terminal/render-context.ts';

/** Commits added to a branch after a command moved it. */
export type LaterCommits = Readonly<{ branch: string; commits: readonly PreviewCommit[]; count: number }>;

/** As results contain it: `refs/heads/main 1a2b3c4d5e6f → 0f1e2d3c4b5a`. */
const PUT = /^refs\/heads\/(\S+) \S+ → ([0-9a-f]{12})$/;

/** For each branch that has moved on since a command; empty for a workspace elsewhere, or if git fails. */
export async function laterCommits(
  { record, changes }: Readonly<{ record: CommandRecord; changes: readonly ShownDiff[] }>,
  context: Context,
): Promise<readonly LaterCommits[]> {
  const moved = (record.result?.git ?? []).flatMap((text) => {
    const [, branch, left] = PUT.exec(text) ?? [];
    if (branch === undefined || left === undefined) return [];
    const isMoved = changes.some(({ path, current }) => path === `.git/refs/heads/${branch}` && !current);
    return isMoved ? [{ branch, left }] : [];
  });
  if (moved.length === 0 || namedServer(context.flags, context) !== null) return [];
  const found = await inOwnRepository(context, async (options) =>
    Promise.all(
      moved.map(async ({ branch, left }) => ({ branch, ...(await commitsSince({ branch, left }, options)) })),
    ),
  );
  return (found ?? []).filter(({ count }) => count > 0);
}

/** Null if git fails. */
export async function inOwnRepository<Answer>(
  { directory, env }: Pick<Context, 'directory' | 'env'>,
  render: (options: Parameters<typeof commitsSince>[1]) => Promise<Answer>,
): Promise<Answer | null> {
  const scratch = await mkdtemp(join(tmpdir(), 'signalbox-undo-'));
  const path = env['PATH'] ?? '/usr/bin:/bin';
  try {
    return await render({ workspace: await realpath(directory), scratch, path });
  } catch {
    return null;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** `main loses 2 later commits:` and each of them. */
export function laterCommitLines(later: readonly LaterCommits[], isForced: boolean): readonly Line[] {
  return later.flatMap(({ branch, commits, count }) => {
    const many = plural(count, 'later commit');
    return [
      line('  ', as('warn', isForced ? `${branch} loses ${many}:` : `${many} on ${branch}:`)),
      ...commitRows({ commits, count }),
    ];
  });
}

/** Each of them, in git's words. */
export function commitRows({ commits, count }: Pick<LaterCommits, 'commits' | 'count'>): readonly Line[] {
  const more = count - commits.length;
  return [
    ...commits.map(({ id, subject }) => line(gap(4), as('accent', id), ' ', subject)),
    ...(more > 0 ? [line(gap(4), muted(`and ${more} more`))] : []),
  ];
}
