import { lstatSync, statfsSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Execution, ExecutionHooks } from '@signalbox/core';
import { type CommandRunOptions, runCommand } from '../command-run.ts';
import type { LayerRequest } from '../layers/layer.ts';
import type { WrittenBounds } from './written-bounds.ts';

/** Between two looks at the file system. */
const INTERVAL_MS = 500;
/** Between two counts that nothing asked for: others may remove files meanwhile. At most this share of our time. */
const COUNT_INTERVAL_MS = 10_000;
const SHARE = 50;
/** By so much the kernel's own time of a file may be behind our clock: a tick. */
const TICK_MS = 10;

type Bounded = LayerRequest & { readonly limits: WrittenBounds };

/** Runs a command that writes to the workspace itself, and ends it when it has made too many names there. */
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
        unwatch = watchNewNames(workspace, { clock, most: request.limits.writtenFiles, onExceeded });
      },
    });
  } finally {
    unwatch();
  }
}

/**
 * Looks how many names the file system of a folder has left; when there are so many fewer that one command could have
 * made too many, it counts those that are new. It also counts from time to time: some file systems (Btrfs) do not say.
 *
 * @returns Call it to end the looking.
 */
function watchNewNames(
  folder: string,
  options: { readonly clock: Clock; readonly most: number; readonly onExceeded: () => void },
): () => void {
  const { clock, most, onExceeded } = options;
  const since = clock.now() - TICK_MS;
  const freeBefore = statfsSync(folder).ffree;
  let countAt = clock.monotonic() + COUNT_INTERVAL_MS;
  let isOver = false;
  let cancel = clock.timer(INTERVAL_MS, poll);

  function poll(): void {
    const onLooked = (exceeded: boolean): void => {
      if (isOver) return;
      if (exceeded) onExceeded();
      else cancel = clock.timer(INTERVAL_MS, poll);
    };
    // A folder that is away holds nothing to count; it is looked for again.
    void isExceeded().then(onLooked, () => onLooked(false));
  }

  async function isExceeded(): Promise<boolean> {
    const began = clock.monotonic();
    if (began < countAt && freeBefore - statfsSync(folder).ffree <= most) return false;
    const count = await countNew(folder, { since, most });
    const tookMs = clock.monotonic() - began;
    countAt = began + Math.max(COUNT_INTERVAL_MS, SHARE * tookMs);
    return count > most;
  }

  return () => {
    isOver = true;
    cancel();
  };
}

/** How many files, folders and links below a folder came to be since then; no more than one over `most` are counted. */
async function countNew(
  folder: string,
  { since, most }: { readonly since: number; readonly most: number },
): Promise<number> {
  let count = 0;
  const left = [folder];
  for (let next = left.pop(); next !== undefined && count <= most; next = left.pop()) {
    try {
      const mayHoldNew = lstatSync(next).ctimeMs >= since;
      for await (const entry of await opendir(next)) {
        const path = join(next, entry.name);
        if (mayHoldNew && (lstatSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0) >= since) count += 1;
        if (entry.isDirectory()) left.push(path);
        if (count > most) break;
      }
    } catch {
      // Gone, or not to be read: its own name is counted.
    }
  }
  return count;
}
