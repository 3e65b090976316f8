import { lstatSync, statfsSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Execution, ExecutionHooks } from '@signalbox/core';
import type { CommandRunOptions } from '../layers/command-run-options.ts';
import { runCommand } from '../command-run.ts';
import type { LayerRequest } from '../layers/layer.ts';
import type { WrittenBounds } from './written-bounds.ts';

/** Time between two checks of the file system. */
const INTERVAL_MS = 500;
/** Time between unconditional counts, as others may remove files meanwhile. Takes at most 1/SHARE of our time. */
const COUNT_INTERVAL_MS = 10_000;
const SHARE = 50;
/** How far the kernel's file times may be behind our clock: one tick. */
const TICK_MS = 10;

type Bounded = LayerRequest & { readonly limits: WrittenBounds };

/** Runs a command that writes to the workspace directly, and ends it when it has created too many names. */
export async function runWithNamesWatched(
  request: Bounded,
  hooks: ExecutionHooks,
  options: CommandRunOptions & { readonly workspace: string },
): Promise<Execution> {
  const { workspace, clock } = options;
  let unwatch = (): void => undefined;
  try {
    return await runCommand(request, hooks, {
      ...options,
      onConfined(_, exceed) {
        const onExceeded = (): void => exceed('max_written_files');
        unwatch = watchNewNames(workspace, { clock, max: request.limits.writtenFiles, onExceeded });
      },
    });
  } finally {
    unwatch();
  }
}

/**
 * Watches the free names of a folder's file system. When they have dropped so far that the command could have
 * created too many, it counts the new ones. It also counts periodically, as some file systems (Btrfs) don't
 * report them.
 *
 * @returns a function that ends the watch
 */
function watchNewNames(
  folder: string,
  options: { readonly clock: Clock; readonly max: number; readonly onExceeded: () => void },
): () => void {
  const { clock, max, onExceeded } = options;
  const since = clock.now() - TICK_MS;
  const freeBefore = statfsSync(folder).ffree;
  let countAt = clock.monotonic() + COUNT_INTERVAL_MS;
  let isOver = false;
  let cancel = clock.timer(INTERVAL_MS, poll);

  function poll(): void {
    const onCounted = (exceeded: boolean): void => {
      if (isOver) return;
      if (exceeded) onExceeded();
      else cancel = clock.timer(INTERVAL_MS, poll);
    };
    // A missing folder has nothing to count; it is checked again.
    void isExceeded().then(onCounted, () => onCounted(false));
  }

  async function isExceeded(): Promise<boolean> {
    const began = clock.monotonic();
    if (began < countAt && freeBefore - statfsSync(folder).ffree <= max) return false;
    const count = await countNew(folder, { since, max });
    const tookMs = clock.monotonic() - began;
    countAt = began + Math.max(COUNT_INTERVAL_MS, SHARE * tookMs);
    return count > max;
  }

  return () => {
    isOver = true;
    cancel();
  };
}

/** Counts files, folders and links below a folder created since a time, up to one over `max`. */
async function countNew(
  folder: string,
  { since, max }: { readonly since: number; readonly max: number },
): Promise<number> {
  let count = 0;
  const left = [folder];
  for (let next = left.pop(); next !== undefined && count <= max; next = left.pop()) {
    try {
      const mayHoldNew = lstatSync(next).ctimeMs >= since;
      for await (const entry of await opendir(next)) {
        const path = join(next, entry.name);
        if (mayHoldNew && (lstatSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0) >= since) count += 1;
        if (entry.isDirectory()) left.push(path);
        if (count > max) break;
      }
    } catch {
      // Gone or unreadable: its own name is counted.
    }
  }
  return count;
}
