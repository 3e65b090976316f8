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

/** Installed packages contain names that look like secrets of the workspace but are not. */
const PACKAGES = new Set(['node_modules', '.venv']);

/** Source given for anything but a user rule. */
const BUILT_IN = 'built in';

/** A change that a person must approve and that its call did not name. */
export type WithheldChange = { readonly effect: Effect; readonly reason: Reason };

export type JudgedWrites = {
  /** Why policy forbids them; empty if it does not. */
  readonly denied: readonly string[];
  /** Changes that have not been approved yet. */
  readonly withheld: readonly WithheldChange[];
};

type JudgeWritesOptions = {
  readonly policy: Pick<Policy, 'checkPaths' | 'rule' | 'sizeLimit'>;
  readonly question: Question;
  /** A person has let this call run: changes that would only ask are allowed. */
  readonly isGranted: boolean;
  /** Redacts as the verdict's reasons were redacted. */
  readonly redact: (text: string) => string;
  readonly named: NamedFiles | undefined;
  /** Paths to which git brings the content of a commit made before the session. */
  readonly brought: ReadonlySet<string>;
};

/**
 * Judges a transaction's actual changes by the gates that judge a call's declared ones: paths, then user rules. Git's
 * own files are left to the sandbox, which knows which of them are code.
 *
 * Files that a person's programs read as settings or code, and those the sandbox flags, need approval of a call that
 * names them: approving a script does not approve what the script does to them.
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

/** Rules that come from path lists and tool policies for an effect. */
const BY_EFFECT: ReadonlySet<string> = new Set(['writes-ask', 'tool-asks', 'mode-asks']);
/** Changed paths named in one approval request. */
const MAX_NAMED = 20;

/**
 * Changes that path lists, policies and `approval.file_writes` ask about and the line did not declare, in one approval
 * request.
 */
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

/** Undefined for declared changes, and for git's own files except its branches. */
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

/** Exempt are installed packages, whose size others determine, and git's objects, which hold many files. */
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

/** The call as if it had declared these changes. */
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

const COMMITS: Reason = { level: 'warning', code: MAKES_COMMITS, text: 'creates commits' };

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
    return [`${path}: ${ruling.reason}; no one was asked, since the call did not say that it writes there`];
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
  // A folder itself is never reported as changed; a replacement for one, such as a link, affects everything behind it.
  const effect = effectOf(change, 'tree');
  const [found] = programFileReasons([effect], () => named);
  if (found === undefined || isNamed(path, options)) return [];
  const reason = { ...found, text: redact(found.text) };
  const verdict = { ...questionOn(change, question).verdict, level: found.level, reasons: [reason] };
  // Without its line: a rule that allows the line does not cover its other changes.
  const ruling = policy.rule({ ...question, line: null, verdict });
  return ruling.kind === 'allow' ? [] : [{ effect, reason }];
}

/** Whether the call declared a change of that path, and was judged with it. */
function isNamed(path: string, { question: { verdict }, redact, named }: JudgeWritesOptions): boolean {
  return verdict.effects.some((effect) => {
    if (effect.kind !== 'write' && effect.kind !== 'delete') return false;
    const isOver = effect.path === path || (effect.scope === 'tree' && path.startsWith(`${effect.path}/`));
    if (!isOver) return false;
    // An install declares that it writes packages, and is judged with that.
    if (isInPackages(path) && effect.scope === 'tree' && isInPackages(effect.path)) return true;
    return programFileReasons([effect], () => named).some((reason) =>
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

/** The part of the workspace that a repository's file belongs to. */
function folderOf(path: string): string {
  const segments = path.split('/');
  const git = segments.indexOf('.git');
  return (git < 0 ? segments : segments.slice(0, git)).join('/') || '.';
}

/** The verdict on a call that is now known to make these changes too. */
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

/** The paths that a call declared as changed, and was allowed to run with. */
export function pathsNamed(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) =>
    effect.kind === 'write' || effect.kind === 'delete' ? [effect.path] : [],
  );
}

/** What git moves in a repository, according to the line and its effects. */
export function movesOf(
  program: Program,
  effects: readonly Effect[],
): Pick<ExecutionRequest, 'movesTree' | 'fetches'> {
  return {
    ...(movesTree(effects) ? { movesTree: true } : {}),
    ...(program.kind === 'shell' && isFetch(program.line) ? { fetches: true } : {}),
  };
}

/** Whether it declared that git changes a folder's files, its index and its refs: a checkout, a merge, a stash. */
function movesTree(effects: readonly Effect[]): boolean {
  const holds = (resource: string): boolean =>
    effects.some((one) => one.kind === 'resource' && one.resource === resource && one.access === 'write');
  const isTree = effects.some((one) => one.kind === 'write' && one.scope === 'tree');
  return isTree && holds('git:index') && holds('git:refs');
}
