import type { PathScope } from '@signalbox/core';
import { globMatches } from './glob-match.ts';
import { noteUnknownLink } from './links.ts';
import { isInOwnFolder } from './own-folders.ts';
import { locate, type LocatedPath } from './paths.ts';
import {
  isAboveSecrets,
  isControlFile,
  isDevice,
  isHarmlessDevice,
  isNetworkDevice,
  isOwnState,
  isSecret,
  isSecretFolder,
  isSystemPath,
  mayMatchGit,
  mayMatchSecret,
} from './path-words.ts';
import type { EvaluationContext } from '../program.ts';
import { targetsOf } from './targets.ts';
import { beginningOf, show, textOf, textsOf, type Word } from '../word.ts';
import { noteWritten } from './written.ts';

type Scope = Exclude<PathScope, 'glob'>;

/** Reports a read of a file's content. */
export function touchRead(
  context: EvaluationContext,
  word: Word,
  { scope = 'file' }: Readonly<{ scope?: Scope }> = {},
): void {
  if (textOf(word) === '-') return;
  readSomewhere(context, word);
  for (const { located, scope: found } of targetsIn(context, word, { scope })) {
    context.report.effect({ kind: 'read', path: located.path, scope: found });
    const secret = found === 'glob' ? mayMatchSecret(located.path) : isSecret(located.path);
    const isAbove = found !== 'file' && isAboveSecrets(located.path.replace(/\/\*+$/, ''));
    if (secret || isAbove) raiseSecret(context, located.path, word);
    else if (isDevice(located.path)) {
      context.report.raise('dangerous', 'reads-device', {
        text: `reads a device: ${located.path}`,
        span: word.span,
      });
    } else if (/^\/etc\/passwd-?$/.test(located.path)) {
      context.report.raise('warning', 'reads-accounts', {
        text: `reads the list of user accounts`,
        span: word.span,
      });
    }
  }
}

/** A path that can't be located has no effect, but a secret is recognised by its name anywhere. */
function readSomewhere(context: EvaluationContext, word: Word): void {
  if (word.origin.namesSecret)
    context.report.raise('dangerous', 'reads-secret', {
      text: 'reads what may be a secret',
      span: word.span,
    });
  if (word.kind !== 'dynamic' && context.state.cwd !== undefined) return;
  const names = word.kind === 'dynamic' ? [word.guess ?? ''] : (textsOf(word) ?? []);
  const isOne =
    names.some((name) => isSecret(name)) || (word.kind === 'glob' && mayMatchSecret(word.pattern));
  if (isOne)
    context.report.raise('dangerous', 'reads-secret', {
      text: `reads a secret: ${show(word)}`,
      span: word.span,
    });
}

/** Reports that a file is named, sized or tested, but not opened. */
export function touchList(context: EvaluationContext, word: Word): void {
  for (const { located } of targetsIn(context, word, { scope: 'file' })) {
    if (!isSecretFolder(located.path)) continue;
    context.report.raise('warning', 'lists-secrets', { text: `lists ${located.path}`, span: word.span });
  }
}

/** Reports that a file is created or changed; `tree`: a directory and anything below it. */
export function touchWrite(
  context: EvaluationContext,
  word: Word,
  { scope = 'file' }: Readonly<{ scope?: Scope }> = {},
): void {
  change(context, word, { scope, kind: 'write' });
}

/** Reports that a file or directory is moved away. */
export function touchMove(
  context: EvaluationContext,
  word: Word,
  { scope = 'file' }: Readonly<{ scope?: Scope }> = {},
): void {
  change(context, word, { scope, kind: 'delete' });
}

function change(
  context: EvaluationContext,
  word: Word,
  { scope, kind }: Readonly<{ scope: Scope; kind: 'write' | 'delete' }>,
): void {
  const targets = targetsIn(context, word, { scope });
  const verb = kind === 'write' ? 'writes' : 'moves';
  if (targets.length === 0) return touchUnknown(context, verb, word);
  for (const { located, scope: found, isOwn, isUnsure } of targets) {
    const { report } = context;
    if (isHarmlessDevice(located.path)) continue;
    if (isNetworkDevice(located.path)) {
      report.effect({ kind: 'network' });
      report.raise('dangerous', 'network-device', {
        text: `opens a connection: ${located.path}`,
        span: word.span,
      });
      continue;
    }
    report.effect({ kind, path: located.path, scope: found });
    if (kind === 'delete' && isSecret(located.path)) raiseSecret(context, located.path, word);
    if (found !== 'glob')
      noteWritten(located.absolute, context.state.stdin.origin, { evaluationContext: context });
    if (isOwn && scope === 'tree') noteUnknownLink(located.absolute, context);
    if (isUnsure) raiseUnsure(word, verb, context);
    if (isOwn) {
      raiseOwnFolder(located, verb, context);
      continue;
    }
    if (raisePath(context, located, { scope: found, word, verb })) continue;
    report.raise('warning', 'writes-file', { text: `${verb} ${located.path}`, span: word.span });
  }
}

/** The reason why a change is safe. */
function raiseOwnFolder({ path }: LocatedPath, verb: string, { report }: EvaluationContext): void {
  report.raise('safe', 'own-folder', { text: `${verb} ${path} (exists only while the command runs)` });
}

function raiseUnsure(word: Word, verb: string, { report }: EvaluationContext): void {
  report.effect({ kind: 'write-unknown' });
  const text = `${verb} through a link that this line creates: ${show(word)}`;
  report.raise('warning', 'writes-unknown-path', { text, span: word.span });
}

/** Reports that a file is removed; `tree`: with everything below. */
export function touchDelete(
  context: EvaluationContext,
  word: Word,
  { scope = 'file' }: Readonly<{ scope?: Scope }> = {},
): void {
  const { report } = context;
  const targets = targetsIn(context, word, { scope, means: 'itself' });
  const recursive = scope === 'tree' || word.kind === 'below';
  const isHarmless = targets.length > 0 && targets.every((one) => one.isOwn && !one.isUnsure);
  if (recursive && !isHarmless) {
    report.raise('dangerous', 'delete-recursive', {
      text: `deletes recursively: ${show(word)}`,
      span: word.span,
    });
  }
  if (targets.length === 0) {
    report.raise('dangerous', 'deletes-unknown', {
      text: `deletes paths unknown until it runs`,
      span: word.span,
    });
    return report.effect({ kind: 'write-unknown' });
  }
  for (const { located, scope: found, isOwn, isUnsure } of targets) {
    report.effect({ kind: 'delete', path: located.path, scope: found });
    if (isUnsure) raiseUnsure(word, 'deletes', context);
    if (isOwn) {
      raiseOwnFolder(located, 'deletes', context);
      continue;
    }
    if (raisePath(context, located, { scope: found, word, verb: 'deletes' })) continue;
    // Reported already, as more serious.
    if (recursive && found !== 'glob') continue;
    const everything = found === 'glob' && /^(?:.*\/)?\*+$/.test(located.path);
    const code = everything ? 'deletes-everything' : 'deletes-file';
    report.raise(everything ? 'dangerous' : 'warning', code, {
      text: `deletes ${located.path}`,
      span: word.span,
    });
  }
}

function touchUnknown(context: EvaluationContext, verb: string, word: Word): void {
  const known = word.kind === 'dynamic' ? (word.guess ?? '') : '';
  const beginning = beginningOf(word) === '' ? known : beginningOf(word);
  context.report.effect({ kind: 'write-unknown' });
  // In an unknown directory `.git/config` is still recognised by its name.
  const cwd = context.state.cwd ?? context.lineContext.workspace;
  const located = beginning.includes('/') ? locate(beginning, cwd, context.lineContext) : undefined;
  const isOwn = located !== undefined && isInOwnFolder(located.absolute, context.lineContext);
  if (located !== undefined && !isOwn && raisePath(context, located, { scope: 'tree', word, verb })) return;
  context.report.raise('warning', 'writes-unknown-path', {
    text: `${verb} paths unknown until it runs`,
    span: word.span,
  });
}

/** Raises the level for a path that is more than a file of the workspace; returns whether it was one. */
function raisePath(
  context: EvaluationContext,
  located: LocatedPath,
  { scope, word, verb }: Readonly<{ scope: PathScope; word: Word; verb: string }>,
): boolean {
  const { path, place } = located;
  const { report } = context;
  if (isOwnState(path)) {
    report.raise('blocked', 'own-state', { text: `${verb} Signalbox's own state: ${path}`, span: word.span });
  } else if (place === 'inside') {
    const mayBeGit = scope === 'glob' && mayMatchGit(path);
    if (!mayBeGit && !isControlFile(path) && !/(?:^|\/)\.git(?:\/|$)/.test(path)) return false;
    report.raise('dangerous', 'control-file', {
      text: `${verb} a file that git runs or trusts: ${path}`,
      span: word.span,
    });
  } else if (path === '/') {
    report.raise(verb === 'deletes' ? 'dangerous' : 'blocked', 'whole-system', {
      text: `${verb} the whole file system`,
      span: word.span,
    });
  } else if (isDevice(path)) {
    report.raise('blocked', 'writes-device', { text: `${verb} a device: ${path}`, span: word.span });
  } else if (isSystemPath(path) || (scope === 'glob' && globMatches(path, '/etc'))) {
    report.raise('blocked', 'system-path', {
      text: `${verb} a system path: ${path}`,
      span: word.span,
    });
  } else {
    report.raise('dangerous', 'outside-workspace', {
      text: `${verb} outside the workspace: ${path}`,
      span: word.span,
    });
  }
  return true;
}

function raiseSecret(context: EvaluationContext, path: string, word: Word): void {
  context.report.effect({ kind: 'secret', path });
  context.report.raise('dangerous', 'reads-secret', { text: `reads a secret: ${path}`, span: word.span });
}

/** The paths a word may name, after a finding by its beginning alone. */
function targetsIn(
  context: EvaluationContext,
  word: Word,
  asked: Parameters<typeof targetsOf>[2],
): ReturnType<typeof targetsOf> {
  raiseSecretBeginning(context, word);
  return targetsOf(context, word, asked);
}

/** Of a dynamic word only a folder of secrets at its beginning is informative: `~/.ssh/$name`. */
function raiseSecretBeginning(context: EvaluationContext, word: Word): void {
  const beginning = beginningOf(word);
  if (word.kind !== 'dynamic' || !beginning.includes('/')) return;
  const located = locate(beginning, context.state.cwd, context.lineContext);
  if (located !== undefined && isSecretFolder(located.path)) raiseSecret(context, located.path, word);
}
