import type { Level, Span } from '@signalbox/core';
import { locate } from '../paths.ts';
import type { Invocation, Scene } from '../program.ts';
import { MAKES_COMMITS, TAKES_WORK } from '../reason-codes.ts';
import { targetsOf } from '../targets.ts';
import { touchWrite } from '../touch.ts';
import { beginningOf, textOf, type Word } from '../word.ts';

/** What commands of git hold and write, beside the files they name. */

/** Refs and objects: commits, branches, tags. */
export function writesRefs({ scene, span }: Invocation, level: Level, text: string): void {
  scene.report.raise(level, 'git-refs', text, span);
  raiseOutside(scene, span);
  holdRefs(scene);
}

/** Commits, and with them refs and the index. */
export function makesCommits({ scene, span }: Invocation, text: string): void {
  scene.report.raise('warning', MAKES_COMMITS, text, span);
  raiseOutside(scene, span);
  holdRefs(scene);
  holdIndex(scene);
}

/** The reason for most of what takes such work. */
export const UNCOMMITTED = 'throws away uncommitted changes, whoever made them';

/** Work that nobody has committed yet, of whoever works here. */
export function takesWork({ scene, span }: Invocation, text: string): void {
  scene.report.raise('warning', TAKES_WORK, text, span);
}

/** `--autostash`, also cut short: what is uncommitted goes into the stash, and comes back if it can. */
export function asksAutostash(words: readonly Word[]): boolean {
  return words.some((word) => /^--autos[a-z]*$/.test(beginningOf(word)) && textOf(word) !== '--autosquash');
}

/** Any file of the working tree, the index and refs. */
export function writesTree(invocation: Invocation, level: Level, text: string): void {
  writesFiles(invocation, level, text);
  holdIndex(invocation.scene);
  holdRefs(invocation.scene);
}

/** Any file of the working tree. */
export function writesFiles({ scene, span }: Invocation, level: Level, text: string): void {
  scene.report.raise(level, 'git-tree', text, span);
  const here = locate('.', scene.state.cwd, scene.ground);
  if (here === undefined) scene.report.effect({ kind: 'write-unknown' });
  else scene.report.effect({ kind: 'write', path: here.path, scope: 'tree' });
  raiseOutside(scene, span);
}

/** `git -C .. commit`: another repository than that of the workspace. */
function raiseOutside({ report, state, ground }: Scene, span: Span): void {
  const here = locate('.', state.cwd, ground);
  if (here?.place === 'outside')
    report.raise('dangerous', 'outside-workspace', `writes outside the workspace: ${here.path}`, span);
}

/** Whether a pathspec stands for all that there is, or can't be known. */
export function isEverything(word: Word): boolean {
  return word.kind !== 'literal' || /^(?:\.?\/?|:\/?|\*+)$/.test(word.text);
}

/** What pathspecs may mean: a folder is all that lies in it, a wildcard matches in folders too, magic leaves this one. */
export function writesPathspecs(words: readonly Word[], scene: Scene): void {
  for (const word of words) {
    const text = textOf(word) ?? '';
    const wildcard = text.search(/[*?[]/);
    const directory = text.slice(0, text.lastIndexOf('/', wildcard) + 1) || '.';
    if (text.startsWith(':')) scene.report.effect({ kind: 'write-unknown' });
    else if (wildcard >= 0) touchWrite(scene, { ...word, kind: 'below', directory });
    else touchWrite(scene, word, 'tree');
  }
}

/** Files that become what a commit or the index holds; whether that was so before the session is looked at when they are put. */
export function restoresPathspecs(words: readonly Word[], scene: Scene): void {
  writesPathspecs(words, scene);
  scene.report.restores(
    words.flatMap((word) => targetsOf(scene, word, 'tree').map(({ located }) => located.path)),
  );
}

/** The index and new objects. */
export function writesIndex({ scene, span }: Invocation, level: Level, text: string): void {
  scene.report.raise(level, 'git-index', text, span);
  raiseOutside(scene, span);
  holdIndex(scene);
}

export function holdIndex({ report }: Scene): void {
  report.effect({ kind: 'resource', resource: 'git:index', access: 'write' });
}

function holdRefs({ report }: Scene): void {
  report.effect({ kind: 'resource', resource: 'git:refs', access: 'write' });
}
