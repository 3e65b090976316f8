import {
  type Effect,
  type ExecutionRequest,
  type FileTouch,
  isInPackages,
  type NamedFiles,
  type Program,
  type Reason,
  strictestLevel,
  type Verdict,
} from '@signalbox/core';
import { isFetch } from '../judging/is-fetch.ts';
import { flatMapInTurns } from './in-turns.ts';
import { whyTooLarge } from './sized-files.ts';
import { MAKES_COMMITS, type Policy, programFileReasons, type Question } from '@signalbox/policy';

/** Installed packages bring names that look like secrets of the workspace and are none. */
const PACKAGES = new Set(['node_modules', '.venv']);

/** Source of what is no rule of people. */
const BUILT_IN = 'built in';

/** A change that a person must agree to, which its call did not name. */
export type WithheldChange = { readonly effect: Effect; readonly reason: Reason };

export type JudgedWrites = {
  /** Why policy forbids them; empty when it does not. */
  readonly denied: readonly string[];
  /** What nobody has agreed to yet. */
  readonly withheld: readonly WithheldChange[];
};

type JudgeWritesOptions = {
  readonly policy: Pick<Policy, 'checkPaths' | 'rule' | 'sizeLimit'>;
  readonly question: Question;
  /** A person has let this call run: what only asks is answered. */
  readonly isGranted: boolean;
  /** As the verdict's reasons were redacted. */
  readonly redact: (text: string) => string;
  readonly named: NamedFiles | undefined;
  /** Paths that git brings to what a commit from before the session holds there. */
  readonly brought: ReadonlySet<string>;
};

/**
 * Judges what a transaction really wrote, by the same gates that judge what a call says it will write: paths, then
 * people's rules. Git's own files are left to the sandbox, which knows what of them is code.
 *
 * What programs of the person read as settings or code, and what the sandbox says is to be asked, needs a yes to a
 * call that named it: a yes to a script is none to what the script makes of it.
 */
export async function judgeWrites(
  changes: readonly FileTouch[],
  options: JudgeWritesOptions,
): Promise<JudgedWrites> {
  const found = changes.filter(({ kind }) => kind !== 'read');
  const asking = await flatMapInTurns(found, (change) => withheldOf(change, options));
  const never = asking.filter(({ reason }) => reason.level === 'blocked');
  return {
    denied: [
      ...(await flatMapInTurns(found, (change) => whyDenied(change, options))),
      ...(await tooLarge(found, options)),
      ...never.map(({ reason }) => reason.text),
    ],
    withheld: [...asking, ...(await withheldByEffect(found, options))],
  };
}

/** Rules that lists and policies of tools give for an effect. */
const BY_EFFECT: ReadonlySet<string> = new Set(['writes-ask', 'tool-asks', 'mode-asks']);
/** Of changed paths that one question names. */
const MAX_NAMED = 20;

/** What lists, policies and `approval.file_writes` ask about, which its line did not say; one question for all of it. */
async function withheldByEffect(
  changes: readonly FileTouch[],
  { policy, question, isGranted, redact }: JudgeWritesOptions,
): Promise<readonly WithheldChange[]> {
  if (isGranted) return [];
  const asking = await flatMapInTurns(changes, (change) => {
    const asked = questionOnEffect(change, question);
    const ruling = asked === undefined ? undefined : policy.rule(asked);
    const isAsked = ruling?.kind === 'ask' && ruling.source === BUILT_IN && BY_EFFECT.has(ruling.rule);
    return asked === undefined || !isAsked
      ? []
      : [{ effect: asked.verdict.effects[0], reason: ruling.reason }];
  });
  const [first] = asking;
  if (first === undefined) return [];
  const more = asking.length > 1 ? `, and ${asking.length - 1} more` : '';
  const reason: Reason = {
    level: 'warning',
    code: 'writes-asked',
    text: redact(`${first.reason}${more}`),
  };
  return asking
    .slice(0, MAX_NAMED)
    .flatMap(({ effect }) => (effect === undefined ? [] : [{ effect, reason }]));
}

/** Undefined for what the call has said that it does, and for git's own files but its branches. */
function questionOnEffect(change: FileTouch, question: Question): Question | undefined {
  const { effects } = question.verdict;
  if (!change.path.split('/').includes('.git')) {
    const isSaid = effects.some(
      (effect) =>
        (effect.kind === 'write' || effect.kind === 'delete') &&
        (effect.path === change.path || effect.path === '.' || change.path.startsWith(`${effect.path}/`)),
    );
    return isSaid ? undefined : questionOn(change, question);
  }
  const isSaid = effects.some((effect) => effect.kind === 'resource' && effect.resource === 'git:refs');
  if (!isOnBranch(change) || isSaid) return undefined;
  const verdict: Verdict = {
    ...question.verdict,
    level: 'safe',
    reasons: [COMMITS],
    effects: [{ kind: 'resource', resource: 'git:refs', access: 'write' }],
    composed: false,
  };
  return { ...question, verdict };
}

/** Installed packages are as large as their makers made them, and git's objects hold many files. */
function tooLarge(
  changes: readonly FileTouch[],
  { policy, question }: JudgeWritesOptions,
): Promise<readonly string[]> {
  const limit = policy.sizeLimit(question.tool, 'write');
  return flatMapInTurns(changes, ({ path, bytes = 0 }) => {
    const isOther = path.split('/').some((segment) => segment === '.git' || PACKAGES.has(segment));
    const why = isOther ? null : whyTooLarge(bytes, limit);
    return why === null ? [] : [`${path}: ${why}`];
  });
}

/** The call as if it had said that it makes these changes. */
export function questionOnChanges(changes: readonly FileTouch[], question: Question): Question {
  const files = changes.filter(({ path, kind }) => kind !== 'read' && !path.split('/').includes('.git'));
  const makesCommits = changes.some(isOnBranch);
  const verdict: Verdict = {
    ...question.verdict,
    reasons: makesCommits ? [COMMITS] : [],
    effects: files.map((change) => effectOf(change)),
  };
  return { ...question, verdict };
}

function isOnBranch({ path, kind }: FileTouch): boolean {
  return kind !== 'read' && /(?:^|\/)\.git\/(?:refs\/heads\/.|HEAD$|packed-refs$)/.test(path);
}

const COMMITS: Reason = { level: 'warning', code: MAKES_COMMITS, text: 'makes commits' };

function whyDenied(
  change: FileTouch,
  { policy, question, isGranted }: JudgeWritesOptions,
): readonly string[] {
  const { path } = change;
  const segments = path.split('/');
  if (segments.includes('.git')) return [];
  const asked = questionOn(change, question);
  const isPackage = segments.some((segment) => PACKAGES.has(segment));
  const own = policy.rule(asked);
  const isOwn = own.source !== BUILT_IN || own.rule === 'mode-forbids';
  const gates = [policy.checkPaths(asked), ...(isOwn ? [own] : [])];
  return gates.flatMap((ruling) => {
    if (ruling === undefined || ruling.kind === 'allow' || (ruling.kind === 'ask' && isGranted)) return [];
    if (isPackage && ruling.rule === 'protected-path') return [];
    if (ruling.kind === 'deny') return [`${path}: ${ruling.failure.message}`];
    return [`${path}: ${ruling.reason}; nobody was asked, since the call did not say that it writes there`];
  });
}

function withheldOf(change: FileTouch, options: JudgeWritesOptions): readonly WithheldChange[] {
  const { policy, question, redact, named } = options;
  const { path, asks } = change;
  if (asks !== undefined) {
    const reason: Reason = { level: 'dangerous', code: 'git-code', text: redact(`${path}: ${asks}`) };
    const isAgreed = question.verdict.reasons.some(({ text }) => text === reason.text);
    return isAgreed ? [] : [{ effect: { kind: 'write', path: folderOf(path), scope: 'tree' }, reason }];
  }
  if (options.brought.has(path)) return [];
  // No folder is told as changed: what takes the place of one, such as a link, brings all that lies behind it.
  const effect = effectOf(change, 'tree');
  const [found] = programFileReasons([effect], named);
  if (found === undefined || isNamed(path, options)) return [];
  const reason = { ...found, text: redact(found.text) };
  const verdict = { ...questionOn(change, question).verdict, level: found.level, reasons: [reason] };
  // Without its line: a rule that lets the line run says nothing of what else it changes.
  const ruling = policy.rule({ ...question, line: null, verdict });
  return ruling.kind === 'allow' ? [] : [{ effect, reason }];
}

/** Whether the call said that it changes that path, and was asked about it as such. */
function isNamed(path: string, { question: { verdict }, redact, named }: JudgeWritesOptions): boolean {
  return verdict.effects.some((effect) => {
    if (effect.kind !== 'write' && effect.kind !== 'delete') return false;
    const isOver = effect.path === path || (effect.scope === 'tree' && path.startsWith(`${effect.path}/`));
    if (!isOver) return false;
    // An install says that it writes packages, and that is what it is asked about.
    if (isInPackages(path) && effect.scope === 'tree' && isInPackages(effect.path)) return true;
    return programFileReasons([effect], named).some((reason) =>
      verdict.reasons.some(({ code, text }) => code === reason.code && text === redact(reason.text)),
    );
  });
}

function questionOn(change: FileTouch, question: Question): Question {
  const effects = [effectOf(change)];
  const verdict: Verdict = { ...question.verdict, level: 'safe', reasons: [], effects, composed: false };
  return { ...question, verdict };
}

function effectOf({ path, kind }: FileTouch, scope: 'file' | 'tree' = 'file'): Effect {
  return { kind: kind === 'deleted' ? 'delete' : 'write', path, scope };
}

/** What of the workspace a repository's own file speaks of. */
function folderOf(path: string): string {
  const segments = path.split('/');
  const git = segments.indexOf('.git');
  return (git < 0 ? segments : segments.slice(0, git)).join('/') || '.';
}

/** The verdict on a call that is now known to change these, too. */
export function withWithheld(verdict: Verdict, withheld: readonly WithheldChange[]): Verdict {
  const reasons = [...withheld.map(({ reason }) => reason), ...verdict.reasons];
  return {
    ...verdict,
    level: strictestLevel(reasons.map(({ level }) => level)),
    reasons: [
      ...reasons.filter(({ level }) => level === 'dangerous'),
      ...reasons.filter(({ level }) => level !== 'dangerous'),
    ],
    effects: [...verdict.effects, ...withheld.map(({ effect }) => effect)],
  };
}

/** The paths that a call said it changes, and was let run with. */
export function pathsNamed(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) =>
    effect.kind === 'write' || effect.kind === 'delete' ? [effect.path] : [],
  );
}

/** What of a repository git moves, as its line and its effects say. */
export function movesOf(
  program: Program,
  effects: readonly Effect[],
): Pick<ExecutionRequest, 'movesTree' | 'fetches'> {
  return {
    ...(movesTree(effects) ? { movesTree: true } : {}),
    ...(program.kind === 'shell' && isFetch(program.line) ? { fetches: true } : {}),
  };
}

/** Whether it said that git changes the files of a folder, its index and its refs: a checkout, a merge, a stash. */
function movesTree(effects: readonly Effect[]): boolean {
  const holds = (resource: string): boolean =>
    effects.some((one) => one.kind === 'resource' && one.resource === resource && one.access === 'write');
  const isTree = effects.some((one) => one.kind === 'write' && one.scope === 'tree');
  return isTree && holds('git:index') && holds('git:refs');
}
