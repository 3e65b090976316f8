import { hostname } from 'node:os';
import { join } from 'node:path';
import { findWorkspaceHolder } from '@signalbox/embedded';
import type { Context } from '../runtime/contract/context.ts';
import { STATE_FOLDER } from '../runtime/workspace/state-folder.ts';
import { readRecord } from '../runtime/server/coordinator-record.ts';

/** A stop is given 20 s before it is forced. */
const GONE_WITHIN_MS = 30_000;
const POLL_EVERY_MS = 20;

/** Waits until a coordinator that was asked to stop has left its workspace; false after 30 s. */
export async function untilGone(
  pid: number,
  context: Pick<Context, 'clock' | 'directory'>,
): Promise<boolean> {
  const { clock, directory } = context;
  const until = clock.monotonic() + GONE_WITHIN_MS;
  while (clock.monotonic() < until) {
    const holder = await findWorkspaceHolder(join(directory, STATE_FOLDER), hostname());
    if (holder?.process.pid !== pid && readRecord(directory)?.pid !== pid) return true;
    await new Promise<void>((resolve) => {
      clock.timer(POLL_EVERY_MS, resolve);
    });
  }
  return false;
}
