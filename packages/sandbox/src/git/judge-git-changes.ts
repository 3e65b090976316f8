import { lstatSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { WriteSetChange } from '../overlay/write-set.ts';
import { bytesAt } from './bytes-at.ts';
import type { GitJudgement } from './git-judgement.ts';
import { linksInIndex } from './gitlinks.ts';
import type { Hidden } from './hidden-from-git.ts';
import { lostHidden } from './lost-hidden.ts';
import { createPartsJudge, newSettings } from './judge-repository-parts.ts';
import { type WrittenEntry, settingsIn, textOf } from './written-text.ts';
import { whyNotRefs } from './replacements.ts';
import { whyNotShallow } from './shallow.ts';

/** The git folder of a path, and whether it existed before. */
type Inner = { readonly folder: string; readonly within: string; readonly existed: boolean };

const MAX_INDEX_BYTES = 64 * 1024 ** 2;
const MAX_NAMED = 5;

/**
 * Files git itself changes in an existing repository: objects, refs, the index, and temporary state of its
 * commands.
 */
const DATA =
  /^(?:objects\/(?!info\/(?:http-)?alternates)|refs\/|logs(?:\/|$)|rebase-(?:merge|apply)(?:\/|$)|sequencer(?:\/|$)|rr-cache(?:\/|$)|lfs\/|lost-found(?:\/|$)|worktrees(?:\/[^/]+)?$|locked$|(?:packed-refs|shallow|gc\.(?:log|pid)|(?:next-)?index(?:[.-][\w.-]+)?|sharedindex\.\w+|[A-Z][A-Z_]*(?:\.\w+)?|info\/(?:refs|commit-graphs?))(?:\.lock)?$)/;
/** What git continues with on `--continue`. */
const PLAN = /^(?:rebase-(?:merge|apply)\/git-rebase-todo|sequencer\/todo)/;
/** In any case, for case-insensitive file systems. */
const NEVER = /^(?:config|commondir|gitdir|hooks|info\/(?:attributes|grafts))/i;
/** Without these the repository breaks, and the folder around it may become one. */
const NEEDED = /^(?:HEAD|config|objects|refs|commondir|gitdir)$/;
const HEAD = /^(?:ref: refs\/(?!\S*\.\.)[^\s~^:?*[\\]+|[0-9a-f]{40}(?:[0-9a-f]{24})?)\n?$/;
const SETTINGS =
  'git settings say which code git runs: a person has to change them (git config, git remote add, git submodule init)';
/** The git folders of linked work trees and submodules, inside that of the repository. */
const INNER = /^(worktrees|modules)\//;

/** The workspace before the changes. */
export type Before = {
  readonly has: (path: string) => boolean;
  /** Content of a git index; null if there was none. */
  readonly index: (path: string) => Buffer | null;
};

function presentIn(workspace: string): Before {
  return {
    has: (path) => lstatSync(join(workspace, path), { throwIfNoEntry: false }) !== undefined,
    index: (path) => bytesAt(join(workspace, path), MAX_INDEX_BYTES),
  };
}

export type GitJudging = {
  /** What the command could not read. Default: nothing was hidden. */
  readonly hidden?: Hidden;
  /** Whether its line makes git fetch, which may set where history begins. Default false. */
  readonly fetches?: boolean;
  /** Default: the workspace as it is now. */
  readonly before?: Before;
};

/**
 * Judges changes below `.git`, and changes that make a folder a repository. Git reads settings there that name
 * programs, and runs them on the user's next git command. So in an existing repository only data may change; a
 * new one whose settings name programs needs approval, as does a repository in a repository.
 */
export function judgeGitChanges(
  workspace: string,
  changes: readonly WriteSetChange[],
  { hidden, fetches = false, before = presentIn(workspace) }: GitJudging = {},
): GitJudgement {
  const refused = new Map<string, string>();
  const asks = new Map<string, string>();
  // Read once each: an index may be large.
  const indexBefore = once(before.index);
  const indexOf = once(({ source }: WrittenEntry) =>
    typeof source === 'string' ? bytesAt(source, MAX_INDEX_BYTES) : null,
  );
  const written = new Map(changes.map((change) => [change.path, change]));
  const judgePart = createPartsJudge(
    { root: workspace, written, existed: exists, exists: isThere },
    { refused, asks },
  );

  for (const change of changes) {
    const { path } = change;
    const segments = path.split('/');
    const at = segments.findIndex((segment) => segment.toLowerCase() === '.git');
    if (at >= 0)
      judge(change, { git: segments.slice(0, at + 1).join('/'), within: segments.slice(at + 1).join('/') });
    else judgePart(change);
  }
  return { refused, asks };

  function judge(change: WriteSetChange, { git, within }: Readonly<{ git: string; within: string }>): void {
    const why = exists(git)
      ? whyNotInExisting(change, { git, within })
      : whyNotInNew(change, innerOf(git, within));
    if (why !== null) refused.set(change.path, why);
  }

  function whyNotInExisting(
    change: WriteSetChange,
    { git, within }: Readonly<{ git: string; within: string }>,
  ): string | null {
    if (isFolderOnly(change) || isTouchedOnly(change)) return null;
    if (within === '')
      return change.op === 'put' ? newGitFile(change) : 'a repository cannot be replaced or removed';
    const inner = innerOf(git, within);
    return inner.existed ? whyNotData(change, inner) : whyNotInNew(change, inner);
  }

  function whyNotData(change: WriteSetChange, { folder, within }: Inner): string | null {
    if (change.op === 'remove' && NEEDED.test(within)) return 'without it this is no longer a repository';
    if (within === 'config' || within === 'config.lock') return SETTINGS;
    if (!DATA.test(within) || NEVER.test(within)) return 'it sets which code git runs, or is not git data';
    if (within === 'index' && (change.op === 'put' || change.op === 'remove')) {
      const why = whyHiddenLost(change, folder);
      if (why !== null) return why;
    }
    if (change.op !== 'put') return null;
    if (change.kind === 'link') return 'git keeps no links there';
    if (within === 'HEAD' && !HEAD.test(textOf(change) ?? '')) return 'it names no branch and no commit';
    if (PLAN.test(within)) judgePlan(change);
    if (/^(?:shared)?index(?:\.\w+)?$/.test(within)) return judgeIndex(change, folder);
    const text = (): string | null => indexOf(change)?.toString('latin1') ?? null;
    const textBefore = (at: string): string | null =>
      before.index(`${folder}/${at}`)?.toString('latin1') ?? null;
    if (/^shallow$/i.test(within)) return fetches ? null : whyNotShallow(text(), textBefore(within));
    return whyNotRefs(within, text, textBefore);
  }

  /** A linked work tree or submodule has its own git folder, inside that of the repository. */
  function innerOf(git: string, within: string): Inner {
    const kind = INNER.exec(within)?.[1];
    const segments = within.split('/');
    if (kind === undefined || segments.length < 3) return { folder: git, within, existed: exists(git) };
    // A submodule's name may have several parts.
    const max = kind === 'worktrees' ? 2 : segments.length - 1;
    for (let length = 2; length <= max; length++) {
      const folder = `${git}/${segments.slice(0, length).join('/')}`;
      const rest = segments.slice(length).join('/');
      if (!exists(`${folder}/HEAD`) && !written.has(`${folder}/HEAD`)) continue;
      // Submodules can be nested.
      if (INNER.test(rest)) return innerOf(folder, rest);
      return { folder, within: rest, existed: exists(`${folder}/HEAD`) };
    }
    const [first, second, ...rest] = segments;
    return { folder: `${git}/${first}/${second}`, within: rest.join('/'), existed: false };
  }

  function whyNotInNew(change: WriteSetChange, { folder, within }: Inner): string | null {
    if (change.op !== 'put') return null;
    if (change.kind === 'link') return 'git keeps no links there';
    if (within === '') return newGitFile(change);
    if (/(?:^|\/)modules\/[^/]+$/.test(folder) && !isThere(`${folder}/HEAD`))
      return 'it belongs to no repository';
    const isLinked = /(?:^|\/)\.git\/worktrees\/[^/]+$/i.test(folder);
    if (/^hooks\/.*(?<!\.sample)$/.test(within)) return 'a hook of git runs code';
    if (within === 'commondir')
      return isLinked && textOf(change)?.trim() === '../..' ? null : 'it points git to another place';
    if (/^objects\/info\/(?:http-)?alternates$/.test(within))
      return 'it points git to objects in another place';
    if (within === 'config' || within === 'config.worktree') judgeSettings(change);
    if (within === 'index') return judgeIndex(change, folder);
    return null;
  }

  /** `gitdir: …`, the `.git` file of a linked work tree or a submodule. */
  function newGitFile(change: WrittenEntry): string | null {
    const named = /^gitdir: (.+)$/.exec(textOf(change)?.trim() ?? '')?.[1];
    if (change.kind === 'link' || named === undefined) return 'a repository cannot be replaced or removed';
    const at = relative(workspace, resolve(workspace, dirname(change.path), named));
    if (isAbsolute(at) || at.startsWith('..') || !isInner(at))
      asks.set(change.path, `leads git to the folder ${named.slice(0, 200)}, whose settings it reads`);
    return null;
  }

  /** Whether it is the git folder of a linked work tree or a submodule, and not a folder inside one. */
  function isInner(at: string): boolean {
    const [, git, within] = /^((?:.*?\/)?\.git)\/((?:worktrees|modules)\/.+)$/s.exec(at) ?? [];
    return git !== undefined && innerOf(git, `${within}/HEAD`).folder === at;
  }

  function judgeSettings(change: WrittenEntry): void {
    const keys = settingsIn(change);
    if (keys.length > 0) asks.set(change.path, newSettings(keys));
  }

  function judgePlan(change: WrittenEntry): void {
    const text = textOf(change);
    const runs =
      text === null ? ['unreadable content'] : text.split('\n').filter((row) => /^\s*(?:x|exec)\s/.test(row));
    if (runs.length === 0) return;
    asks.set(
      change.path,
      `git runs this when the rebase goes on: ${runs.slice(0, MAX_NAMED).join('; ').slice(0, 300)}`,
    );
  }

  function judgeIndex(change: WrittenEntry, folder: string): string | null {
    const index = indexOf(change);
    const after = index === null ? null : linksInIndex(index);
    if (after === null) return 'it cannot be read as a git index';
    const old = indexBefore(change.path);
    const present = (old === null ? null : linksInIndex(old)) ?? [];
    const added = after.filter((path) => !present.includes(path));
    if (added.length === 0) return null;
    asks.set(change.path, `git of ${folder} reads nested repositories: ${namesOf(added)}`);
    return null;
  }

  /** Git treated hidden files as deleted. */
  function whyHiddenLost(change: WriteSetChange, folder: string): string | null {
    if (hidden === undefined) return null;
    const after = change.op === 'put' ? indexOf(change) : null;
    const lost = lostHidden({ workspace, folder, before: indexBefore(change.path), after }, hidden);
    if (lost.length === 0) return null;
    return `git would lose ${namesOf(lost)}, hidden from commands by policy but not deleted: name the other files (git add -- FILE…), or leave it out (':(exclude)${lost[0]?.slice(0, 300)}')`;
  }

  function isThere(path: string): boolean {
    const change = written.get(path);
    return change === undefined ? exists(path) : change.op !== 'remove';
  }

  function exists(path: string): boolean {
    return before.has(path);
  }
}

function isFolderOnly(change: WriteSetChange): boolean {
  return change.op === 'make' || (change.op === 'attributes' && change.existing.kind === 'directory');
}

function isTouchedOnly(change: WriteSetChange): boolean {
  return change.op === 'attributes' && change.mode === change.existing.mode;
}

/** The same answer for the same question. */
function once<Of, Answer>(ask: (of: Of) => Answer): (of: Of) => Answer {
  const known = new Map<Of, Answer>();
  return (of) => {
    const answer = known.has(of) ? (known.get(of) as Answer) : ask(of);
    known.set(of, answer);
    return answer;
  };
}

function namesOf(paths: readonly string[]): string {
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  return `${paths.slice(0, MAX_NAMED).join(', ').slice(0, 300)}${more}`;
}
