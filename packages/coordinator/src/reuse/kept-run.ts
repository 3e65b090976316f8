import type { CommandRecord, Execution, FileTouch, Stamps, TreeStamp } from '@signalbox/core';
import type { KeptRun } from './shared-runs.ts';

/** Of one run: more is no test, and comparing them takes too long. */
const MAX_CHANGED = 1000;
/** Codes of the shell: not executable, not found; from 128 on a signal (XCU 2.8.2). */
const FIRST_SHELL_CODE = 126;

/**
 * What is kept of a run that has ended: its result, with the files as it left them. Null when it must not be used again:
 *
 * - it did not end by itself, reached a limit or used the network;
 * - anybody else changed a file meanwhile;
 * - it changed files that git does not ignore: another run would start from other files.
 */
export async function keptRunOf(
  { record, execution, before }: { record: CommandRecord; execution: Execution; before: TreeStamp },
  parts: {
    readonly stamps: Stamps;
    readonly stampNow: () => Promise<TreeStamp | null>;
    readonly endedAt: number;
  },
): Promise<KeptRun | null> {
  if (!isConclusive(execution)) return null;
  const after = await parts.stampNow();
  if (after === null) return null;
  if (after.digest !== before.digest && !(await isByRunAlone({ execution, before, after }, parts.stamps)))
    return null;
  const { id: commandId, context } = record;
  const { durationMs } = execution;
  return {
    execution: withoutLongReport(execution),
    digest: after.digest,
    source: { commandId, provider: context.provider, endedAt: parts.endedAt, durationMs },
  };
}

/** Characters of a kept report: results are kept in memory. */
const MAX_REPORT = 256 * 1024;

function withoutLongReport(execution: Execution): Execution {
  const { report } = execution;
  if (report?.kind !== 'read' || report.text.length <= MAX_REPORT) return execution;
  return { ...execution, report: { kind: 'none', why: 'it was too long to be kept with the result' } };
}

function isConclusive({ ended, limitsReached, network, isolation, git, merged }: Execution): boolean {
  if (ended.kind !== 'exited' || ended.exitCode >= FIRST_SHELL_CODE || ended.exitCode < 0) return false;
  // Elsewhere it may have read or changed what is not compared.
  if (isolation.layer !== 'overlay' && isolation.layer !== 'bind') return false;
  return (
    limitsReached === undefined && (network ?? []).length === 0 && git === undefined && merged === undefined
  );
}

/** Whether everything that changed was changed by the run itself, and is ignored by git: caches, reports, builds. */
async function isByRunAlone(
  { execution, before, after }: { execution: Execution; before: TreeStamp; after: TreeStamp },
  stamps: Stamps,
): Promise<boolean> {
  // On the workspace itself its own changes can't be told from those of others.
  if (execution.isolation.layer !== 'overlay' || execution.changes === undefined) return false;
  const changed = changedPaths(before, after);
  if (changed.length > MAX_CHANGED) return false;
  const own = new Map(execution.changes.map((change) => [change.path, change]));
  const gone = changed.filter((path) => !after.states.has(path));
  const isIgnored = await stamps.ignored(gone);
  for (const path of changed) {
    const change = own.get(path);
    const isFolder = change === undefined && isFolderIn(path, [before, after]);
    if (!isIgnored(isFolder ? `${path}/` : path)) return false;
    if (!isFolder && !(await isAsLeft(change, stamps))) return false;
  }
  return true;
}

/** Paths that are not the same in both. A folder in which only names or their times changed is left out. */
function changedPaths(before: TreeStamp, after: TreeStamp): readonly string[] {
  const paths = new Set([...before.states.keys(), ...after.states.keys()]);
  return [...paths].filter((path) => {
    const [was, now] = [before.states.get(path), after.states.get(path)];
    if (was === now) return false;
    return !(was?.startsWith(FOLDER) === true && identityOf(was) === identityOf(now ?? ''));
  });
}

const FOLDER = 'directory,';

function identityOf(state: string): string {
  return state.slice(0, state.indexOf(' '));
}

function isFolderIn(path: string, trees: readonly TreeStamp[]): boolean {
  return trees.every(({ states }) => states.get(path)?.startsWith(FOLDER) !== false);
}

/** Whether the file is still what the run made of it. */
async function isAsLeft(change: FileTouch | undefined, stamps: Stamps): Promise<boolean> {
  return change !== undefined && (await stamps.hashOf(change.path)) === change.hash;
}
