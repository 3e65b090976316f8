import {
  type ContentHash,
  type Expected,
  type PrecheckContext,
  type ReadHash,
  StaleWriteError,
  type TextFile,
  type ToolContext,
  ToolFailure,
} from '@signalbox/core';
import { namingNearest } from './nearest-path.ts';
import { mergeTexts } from './merge-texts.ts';
import { unifiedDiff } from './line-changes.ts';

const MAX_DIFF_LINES = 60;
/**
 * Upper bound on a file shown in a failure: agents over MCP get 9,000 characters of an error
 * (`mcp.max_error_chars`).
 */
const MAX_SHOWN_BYTES = 6000;
const READ_AGAIN = 'Read the file again and redo your change on the new text';

/**
 * The version the path must have for this session to change it: the one it read or wrote last.
 *
 * @throws {ToolFailure} `stale-write` when a file exists that the session never read
 */
async function expectedAt(path: string, context: PrecheckContext): Promise<Expected> {
  const reading = context.readHashes.get(path);
  if (reading !== undefined) return reading.hash ?? 'absent';
  const standing = await context.files.stat(path);
  if (standing === null) return 'absent';
  if (standing.kind === 'directory') throw isFolder(path);
  throw await neverRead(path, context);
}

/**
 * The version of an existing file this session read last.
 *
 * @throws {ToolFailure} `stale-write` when it never read the file, `not-found` when it knows there is none
 */
export async function readVersion(path: string, context: PrecheckContext): Promise<ContentHash> {
  const expected = await expectedAt(path, context);
  if (expected !== 'absent') return expected;
  if ((await context.files.stat(path)) === null) {
    return namingNearest(path, context, () => Promise.reject(noSuchFile(path)));
  }
  throw await neverRead(path, context);
}

/**
 * The current file, if it is the version this session read last.
 *
 * @throws {ToolFailure} as {@link readVersion}, and `stale-write` when it has changed since
 */
export async function currentVersion(path: string, context: PrecheckContext): Promise<TextFile> {
  const expected = await readVersion(path, context);
  const file = await context.files.readText(path);
  if (file.hash === expected) return file;
  throw staleWrite(path, context.readHashes.get(path), { current: { hash: file.hash, text: file.text } });
}

/** The text to write, based on the current version. `theirs` is the diff from what the session had read. */
export type RebasedWrite = {
  readonly text: string;
  readonly expected: Expected;
  readonly theirs?: readonly string[];
};

/**
 * Applies a change, based on what this session read, to the current file: unchanged if the file is the same, or
 * as a clean merge if settings allow it.
 *
 * @param change Computes the new text from the one the session read; null if it read no text.
 * @throws {ToolFailure} `stale-write`, and errors of `change`
 */
export async function rebase(
  path: string,
  context: PrecheckContext,
  change: (read: string | null) => string,
): Promise<RebasedWrite> {
  const expected = await expectedAt(path, context);
  const current = (await context.files.stat(path)) === null ? null : await context.files.readText(path);
  if ((current?.hash ?? 'absent') === expected) return { text: change(current?.text ?? null), expected };
  const reading = context.readHashes.get(path);
  const read = reading?.text ?? null;
  const merged =
    context.staleWrite === 'merge' && current !== null && read !== null
      ? mergeTexts(read, { ours: change(read), theirs: current.text })
      : null;
  if (merged === null || current === null || read === null) throw staleWrite(path, reading, { current });
  const theirs = unifiedDiff(read, current.text, { maxLines: MAX_DIFF_LINES });
  return { text: merged, expected: current.hash, theirs };
}

/** Runs a change, and explains a rejection in terms of what the session had read. */
export async function changeUnlessStale<Result>(
  context: ToolContext,
  change: () => Promise<Result>,
): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof StaleWriteError)) throw error;
    throw staleWrite(error.path, context.readHashes.get(error.path), {
      current: error.current,
      cause: error,
    });
  }
}

/** @param current The current file; `null` if there is none. */
function staleWrite(
  path: string,
  reading: ReadHash | undefined,
  { current, cause }: Readonly<{ current: StaleWriteError['current']; cause?: unknown }>,
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

/** A failure for a folder: a model told to read it first would only fail again. */
export function isFolder(path: string): ToolFailure {
  return new ToolFailure({
    code: 'not-a-file',
    category: 'InvalidParameters',
    message: `Cannot write "${path}": it is a folder. Nothing was written`,
    suggestion: `Give the path of a file in it, such as ${path === '.' ? '' : `${path}/`}NAME; list_directory shows what it holds`,
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

/** Shows the current file, so that the next call can be right. */
async function neverRead(path: string, { files, readHashes, clock }: PrecheckContext): Promise<ToolFailure> {
  const file = await files.readText(path, { maxBytes: MAX_SHOWN_BYTES }).catch(() => null);
  if (file !== null) readHashes.note(path, { hash: file.hash, text: file.text, shownAt: clock.now() });
  return new ToolFailure({
    code: 'stale-write',
    category: 'InvalidParameters',
    message: `Cannot write "${path}": it exists and you have not read it. Nothing was written`,
    ...(file === null
      ? { suggestion: 'Read it first with read_file, then redo your change on its text' }
      : {
          suggestion: 'Redo your change on its text, which is shown below and now counts as read',
          why: [`${path} holds:`, ...file.text.split('\n')],
        }),
  });
}

function whatHappened(reading: ReadHash | undefined, current: StaleWriteError['current']): string {
  if (current === null) return 'it was deleted since you read it';
  if (reading === undefined || reading.hash === null) return 'it was created since you looked';
  return 'it changed since you read it';
}

function difference(reading: ReadHash | undefined, current: StaleWriteError['current']): readonly string[] {
  if (current === null) return [];
  const before = reading === undefined || reading.hash === null ? '' : reading.text;
  if (before === null || current.text === null) return ['The text is too long to show what changed'];
  return ['What changed since:', ...unifiedDiff(before, current.text, { maxLines: MAX_DIFF_LINES })];
}
