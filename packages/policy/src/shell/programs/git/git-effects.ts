import type { Level, Span } from '@signalbox/core';
import { locate } from '../../paths/paths.ts';
import type { Invocation, EvaluationContext } from '../../program.ts';
import { MAKES_COMMITS, TAKES_UNTRACKED, TAKES_WORK } from '../../report/reason-codes.ts';
import { targetsOf } from '../../paths/targets.ts';
import { touchWrite } from '../../paths/touch.ts';
import { beginningOf, textOf, type Word } from '../../word.ts';

/** What git commands hold and write, beside the files they name. */

/** How dangerous a change by git is, and its description for the approver. */
type Finding = Readonly<{ level: Level; text: string }>;

/** Refs and objects: commits, branches, tags. */
export function writesRefs({ context, span }: Invocation, { level, text }: Finding): void {
  context.report.raise(level, 'git-refs', { text, span });
  raiseOutside(context, span);
  holdRefs(context);
}

/** Commits, and with them refs and the index. */
export function makesCommits({ context, span }: Invocation, text: string): void {
  context.report.raise('warning', MAKES_COMMITS, { text, span });
  raiseOutside(context, span);
  holdRefs(context);
  holdIndex(context);
}

/** The usual reason for losing such work. */
export const UNCOMMITTED = 'discards uncommitted changes, including those made by others';

/** Uncommitted work of anybody in the workspace. */
export function takesWork({ context, span }: Invocation, text: string): void {
  context.report.raise('warning', TAKES_WORK, { text, span });
}

/** Untracked files of anybody in the workspace. */
export function takesUntracked({ context, span }: Invocation): void {
  const text = 'deletes untracked files, including those made by others';
  context.report.raise('warning', TAKES_UNTRACKED, { text, span });
}

/** `--autostash`, also abbreviated: uncommitted changes go into the stash, and come back if possible. */
export function asksAutostash(words: readonly Word[]): boolean {
  return words.some((word) => /^--autos[a-z]*$/.test(beginningOf(word)) && textOf(word) !== '--autosquash');
}

/** Any file of the working tree, the index and refs. */
export function writesTree(invocation: Invocation, finding: Finding): void {
  writesFiles(invocation, finding);
  holdIndex(invocation.context);
  holdRefs(invocation.context);
}

/** Any file of the working tree. */
export function writesFiles({ context, span }: Invocation, { level, text }: Finding): void {
  context.report.raise(level, 'git-tree', { text, span });
  const here = locate('.', context.state.cwd, context.lineContext);
  if (here === undefined) context.report.effect({ kind: 'write-unknown' });
  else context.report.effect({ kind: 'write', path: here.path, scope: 'tree' });
  raiseOutside(context, span);
}

/** `git -C .. commit`: a repository other than the workspace's. */
function raiseOutside({ report, state, lineContext }: EvaluationContext, span: Span): void {
  const here = locate('.', state.cwd, lineContext);
  if (here?.place === 'outside')
    report.raise('dangerous', 'outside-workspace', {
      text: `writes outside the workspace: ${here.path}`,
      span,
    });
}

/** Whether a pathspec covers everything, or can't be known. */
export function isEverything(word: Word): boolean {
  return word.kind !== 'literal' || /^(?:\.?\/?|:\/?|\*+)$/.test(word.text);
}

/**
 * Paths that pathspecs may match: a folder means all of its content, a wildcard matches in folders too, magic leaves
 * this folder.
 */
export function writesPathspecs(words: readonly Word[], context: EvaluationContext): void {
  for (const word of words) {
    const text = textOf(word) ?? '';
    const wildcard = text.search(/[*?[]/);
    const directory = text.slice(0, text.lastIndexOf('/', wildcard) + 1) || '.';
    if (text.startsWith(':')) context.report.effect({ kind: 'write-unknown' });
    else if (wildcard >= 0) touchWrite(context, { ...word, kind: 'below', directory });
    else touchWrite(context, word, { scope: 'tree' });
  }
}

/**
 * Files that get the content of a commit or the index; whether that is older than the session is checked when they are
 * committed.
 */
export function restoresPathspecs(words: readonly Word[], context: EvaluationContext): void {
  writesPathspecs(words, context);
  context.report.restores(
    words.flatMap((word) => targetsOf(context, word, { scope: 'tree' }).map(({ located }) => located.path)),
  );
}

/** The index and new objects. */
export function writesIndex({ context, span }: Invocation, { level, text }: Finding): void {
  context.report.raise(level, 'git-index', { text, span });
  raiseOutside(context, span);
  holdIndex(context);
}

export function holdIndex({ report }: EvaluationContext): void {
  report.effect({ kind: 'resource', resource: 'git:index', access: 'write' });
}

function holdRefs({ report }: EvaluationContext): void {
  report.effect({ kind: 'resource', resource: 'git:refs', access: 'write' });
}
