import { getIn, type Json, type JsonObject, UsageError } from '@signalbox/core';
import type { AgentFile } from './agents.ts';
import { changedJson, jsonIn, steppedJson } from './changed-json.ts';
import { changedToml, steppedToml, tomlIn, wholeOf } from './changed-toml.ts';
import { type WorkspaceChange, changesBetween, stepped, stepsBack } from '../../runtime/workspace/changes.ts';

/** A settings file of an agent: its current and its planned text. */
export type PlannedFile = Readonly<{
  file: AgentFile;
  /** Null if the file does not exist. */
  before: string | null;
  /** Null if nothing would be left of it. */
  after: string | null;
  /** Our part of the planned text, for `--undo`. */
  changes: readonly WorkspaceChange[];
}>;

/**
 * The file with its required content.
 *
 * @param known Which part of its text is ours already.
 * @throws {UsageError} `agent-file` if it can't be changed without losing content
 */
export function connected(
  file: AgentFile,
  before: string | null,
  { known }: Readonly<{ known: readonly WorkspaceChange[] }>,
): PlannedFile {
  // Our entry for another transport would otherwise stay next to the new one.
  const text = (isOutdated(file, known) ? disconnected(file, before, { known }).after : before) ?? '';
  switch (file.kind) {
    case 'json': {
      const after = changedJson(file.path, text, file.content);
      return { file, before, after, changes: changesOf(jsonIn(before ?? ''), known, jsonIn(after)) };
    }
    case 'toml': {
      const after = changedToml(file.path, text, { wanted: file.content });
      return { file, before, after, changes: changesOf(tomlIn(before ?? ''), known, tomlIn(after)) };
    }
    case 'text':
      if (text.trim() === '' || text === file.content)
        return { file, before, after: file.content, changes: [] };
      throw new UsageError('agent-file', `Cannot change "${file.path}": it already has other text`, {
        next: ['move it away, or add this by hand:', ...file.content.trimEnd().split('\n')],
      });
  }
}

/**
 * The file without what `connect` added.
 *
 * @param known What that was; undefined: unknown, so content equal to ours is ours.
 */
export function disconnected(
  file: AgentFile,
  before: string | null,
  { known }: Readonly<{ known: readonly WorkspaceChange[] | undefined }>,
): PlannedFile {
  if (before === null) return { file, before, after: null, changes: [] };
  switch (file.kind) {
    case 'json': {
      const steps = stepsBack(jsonIn(before) ?? {}, known ?? changesBetween({}, file.content));
      return {
        file,
        before,
        after: unlessEmpty(steppedJson(file.path, before, { steps }), jsonIn),
        changes: [],
      };
    }
    case 'toml': {
      const steps = stepsBack(tomlIn(before) ?? {}, known ?? changesBetween({}, wholeOf(file.content)));
      return {
        file,
        before,
        after: unlessEmpty(steppedToml(file.path, before, { steps }), tomlIn),
        changes: [],
      };
    }
    case 'text':
      return { file, before, after: before === file.content ? null : before, changes: [] };
  }
}

function isOutdated(file: AgentFile, known: readonly WorkspaceChange[]): boolean {
  if (file.kind === 'text') return false;
  const wanted = file.kind === 'toml' ? wholeOf(file.content) : file.content;
  return known.some(({ at, after }) => !covers(getIn(wanted, at) as Json | undefined, after));
}

/** Whether the second has every key of the first. */
function covers(wanted: Json | undefined, written: Json): boolean {
  if (written === null || typeof written !== 'object' || Array.isArray(written)) return wanted !== undefined;
  if (wanted === null || wanted === undefined || typeof wanted !== 'object' || Array.isArray(wanted))
    return false;
  return Object.entries(written).every(([name, value]) => covers((wanted as JsonObject)[name], value));
}

function changesOf(
  before: JsonObject | null,
  known: readonly WorkspaceChange[],
  after: JsonObject | null,
): readonly WorkspaceChange[] {
  const present = before ?? {};
  return changesBetween(stepped(present, stepsBack(present, known)), after ?? {});
}

/** A file with nothing left, not even a comment, is removed. */
function unlessEmpty(text: string, read: (text: string) => JsonObject | null): string | null {
  const value = read(text);
  const isEmpty = value !== null && Object.keys(value).length === 0;
  return isEmpty && !/\/\/|\/\*|#/.test(text) ? null : text;
}
