import type { JsonObject, Tool } from '@signalbox/core';
import { commandsOf } from '@signalbox/policy';

const MAX_IDS = 10;
/** Arguments of one call that are read, with those of nested objects. */
const MAX_VALUES = 200;
const MAX_DEPTH = 4;

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const OWN_ID = /^(?:cmd|ses|run)_[\da-z]{8,40}$/;
/** With a letter and a digit: `deadbeef` is a word, and `20260101` a date. */
const COMMIT = /^(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,40}$/;
/** Its value is text, not a revision. */
const TEXT_OPTION = /^-(?:m|F|S|G|-message|-file|-grep|-author|-date|-format|-pretty)/;

/**
 * Ids that a model can't know unless it has read them: UUIDs, ids of commands and sessions, and commits that git is
 * given. Other names are left out: a model may know them, or choose them.
 */
export function namedIds(
  tool: Pick<Tool, 'name' | 'shellLine' | 'origin'>,
  { args, line }: { readonly args: JsonObject; readonly line: string | null },
): readonly string[] {
  if (tool.shellLine !== undefined) return [...new Set(idsOfLine(line ?? ''))].slice(0, MAX_IDS);
  // Files and commits may contain any text.
  if (tool.origin === undefined && !/^(?:git_(?:log|diff|show)|read_output)/.test(tool.name)) return [];
  const isGit = tool.name.startsWith('git_');
  const words = [...wordsIn(args, 0)].slice(0, MAX_VALUES);
  return [...new Set(words.flatMap((word) => idsIn(word, isGit)))].slice(0, MAX_IDS);
}

function idsOfLine(line: string): readonly string[] {
  const read = commandsOf(line);
  return (read?.commands ?? []).flatMap(({ program, args }) => {
    if (program !== 'git' && program !== 'gh') return [];
    const words = args.filter((word, at) => word !== null && !TEXT_OPTION.test(args[at - 1] ?? ''));
    return words.flatMap((word) => (word === null ? [] : idsIn(word, program === 'git')));
  });
}

function idsIn(word: string, isGit: boolean): readonly string[] {
  if (word.length > 200 || /\s/.test(word)) return [];
  if (UUID.test(word) || OWN_ID.test(word)) return [word];
  return isGit ? word.split(/\.{2,3}|[~^:]/).filter((part) => COMMIT.test(part)) : [];
}

function* wordsIn(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH)
    for (const one of Object.values(value)) yield* wordsIn(one, depth + 1);
}
