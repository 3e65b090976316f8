import {
  type ContentHash,
  type Expected,
  type PrecheckContext,
  type Reading,
  StaleWriteError,
  type TextFile,
  type ToolContext,
  ToolFailure,
} from '@signalbox/core';
import { namingNearest } from './nearest-path.ts';
import { unifiedDiff } from './line-changes.ts';

const MAX_DIFF_LINES = 60;
const READ_AGAIN = 'Read the file again and redo your change on the new text';

/**
 * What must stand at the path for this session to change it: the version that it read or wrote last.
 *
 * @throws {ToolFailure} `stale-write` when something stands there that the session never read.
 */
export async function expectedAt(path: string, context: PrecheckContext): Promise<Expected> {
  const reading = context.readings.get(path);
  if (reading !== undefined) return reading.hash ?? 'absent';
  if ((await context.files.stat(path)) === null) return 'absent';
  throw neverRead(path);
}

/**
 * The version of an existing file that this session read last.
 *
 * @throws {ToolFailure} `stale-write` when it never read the file, `not-found` when it knows that none is there.
 */
export async function readVersion(path: string, context: PrecheckContext): Promise<ContentHash> {
  const expected = await expectedAt(path, context);
  if (expected !== 'absent') return expected;
  if ((await context.files.stat(path)) === null) {
    return namingNearest(path, context.files, () => Promise.reject(noSuchFile(path)));
  }
  throw neverRead(path);
}

/**
 * The file as it stands, when it is the version that this session read last.
 *
 * @throws {ToolFailure} as {@link readVersion}, and `stale-write` when it changed since.
 */
export async function currentVersion(path: string, context: PrecheckContext): Promise<TextFile> {
  const expected = await readVersion(path, context);
  const file = await context.files.readText(path);
  if (file.hash === expected) return file;
  throw staleWrite(path, context.readings.get(path), { hash: file.hash, text: file.text });
}

/** @throws {ToolFailure} `stale-write` when what stands there is not what this session read, or found missing. */
export async function refuseChanged(path: string, context: PrecheckContext): Promise<void> {
  const expected = await expectedAt(path, context);
  const current = (await context.files.stat(path)) === null ? null : await context.files.readText(path);
  if ((current?.hash ?? 'absent') === expected) return;
  throw staleWrite(path, context.readings.get(path), current);
}

/** Does a change, and tells a refusal of it in terms of what the session had read. */
export async function changeUnlessStale<Result>(
  context: ToolContext,
  change: () => Promise<Result>,
): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof StaleWriteError)) throw error;
    throw staleWrite(error.path, context.readings.get(error.path), error.current, error);
  }
}

/** @param current What stands there now; `null` when nothing does. */
function staleWrite(
  path: string,
  reading: Reading | undefined,
  current: StaleWriteError['current'],
  cause?: unknown,
): ToolFailure {
  return new ToolFailure({
    code: 'stale-write',
    category: 'InvalidParameters',
    message: `Cannot write "${path}": ${whatHappened(reading, current)}. Nothing was written`,
    suggestion: READ_AGAIN,
    why: difference(reading, current),
    cause,
  });
}

function noSuchFile(path: string): ToolFailure {
  return new ToolFailure({
    code: 'not-found',
    category: 'InvalidParameters',
    message: `Cannot change "${path}": there is no such file`,
    suggestion: 'Look for the right path with list_directory or search_files',
  });
}

function neverRead(path: string): ToolFailure {
  return new ToolFailure({
    code: 'stale-write',
    category: 'InvalidParameters',
    message: `Cannot write "${path}": it exists and you have not read it. Nothing was written`,
    suggestion: 'Read it first with read_file, then redo your change on its text',
  });
}

function whatHappened(reading: Reading | undefined, current: StaleWriteError['current']): string {
  if (current === null) return 'it was deleted since you read it';
  if (reading === undefined || reading.hash === null) return 'somebody made it since you looked';
  return 'it changed since you read it';
}

function difference(reading: Reading | undefined, current: StaleWriteError['current']): readonly string[] {
  if (current === null) return [];
  const before = reading === undefined || reading.hash === null ? '' : reading.text;
  if (before === null || current.text === null) return ['The text is too long to show what changed'];
  return ['What changed since:', ...unifiedDiff(before, current.text, MAX_DIFF_LINES)];
}
