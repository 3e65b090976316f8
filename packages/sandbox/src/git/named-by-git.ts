import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { parseConfig } from './parse-config.ts';

const MAX_BYTES = 1024 ** 2;
const MAX_FILES = 20;
const MAX_WORDS = 64;
/** Words that look like paths. Other words of a line, such as `test`, count only if a file of that name exists. */
const LIKE_A_FILE = /[^.][./]\w|^\.{0,2}\/|^~\//;

/** Keys whose value is a path from which git reads settings or code. */
const PATHS =
  /^(?:core\.(?:hookspath|attributesfile|excludesfile)|init\.templatedir|include\.path|includeif\..*\.path|http\.(?:.*\.)?ssl(?:cainfo|capath)|(?:difftool|mergetool|browser|man)\..*\.path)$/;
/** Keys whose value is a shell line or program that git runs, by the first part of their names. */
const LINES = new RegExp(
  `^(?:${[
    'core\\.(?:fsmonitor|editor|pager|sshcommand|askpass|gitproxy|alternaterefscommand)',
    'filter\\..*\\.(?:clean|smudge|process)|diff\\.(?:external|.*\\.(?:command|textconv))|merge\\..*\\.driver',
    'alias\\..*|credential\\.(?:.*\\.)?helper|sequence\\.editor|pager\\..*|interactive\\.difffilter',
    'gpg\\.(?:.*\\.)?program|gpg\\.ssh\\.defaultkeycommand|trailer\\..*\\.(?:command|cmd)|tar\\..*\\.command',
    '(?:difftool|mergetool|browser|man)\\..*\\.cmd|guitool\\..*\\.cmd|uploadpack\\.packobjectshook',
    'sendemail\\.(?:.*\\.)?(?:cccmd|tocmd|headercmd|sendmailcmd|smtpserver)|imap\\.tunnel|hook\\..*\\.command',
    'remote\\..*\\.(?:uploadpack|receivepack)|submodule\\..*\\.update|gc\\.recentobjectshook',
    'lfs\\.(?:customtransfer\\..*\\.path|extension\\..*\\.(?:clean|smudge))',
  ].join('|')})$`,
);
/** `ext::sh -c ./x`, an address that git runs, as a value or in a URL rewrite. */
const ADDRESS = /^(?:remote\..*\.(?:push)?url|url\.(ext::.*)\.(?:push)?insteadof)$/;
/** `submodule.x.update = merge` is git's own command, even if a folder has that name. */
const UPDATES = /^(?:checkout|rebase|merge|none)$/;
/** Such as `core.excludesFile`. Git reads it in each folder anyway, and users edit it often. */
const IGNORES = /(?:^|\/)\.gitignore$/;

export type PersonGit = {
  /** What `~` means to git. */
  readonly home: string;
  /** Configuration for all repositories: the machine's and the user's. Default none. */
  readonly configs?: readonly string[];
};

/**
 * Lists the workspace paths that git's configuration names as settings or code: hooks, included files, programs
 * of filters, textconv, fsmonitor and so on. Reads only the files, and again when they change.
 *
 * A relative name applies to each work tree, including linked ones below the workspace and nested repositories;
 * of those only the ones that contain a path of `changed` are read. Missing files count too: git runs them once
 * they exist.
 *
 * @param workspace Absolute path with links resolved; the repository may be in a folder above.
 */
export function createNamedByGit(
  workspace: string,
  { home, configs = [] }: PersonGit,
): (changed?: readonly string[]) => readonly string[] {
  const known = new Map<string, Known>();

  return (changed = []) => {
    const root = rootAbove(workspace);
    const roots = new Set([root, ...linkedTreesOf(root), ...rootsAmong(workspace, changed)]);
    return [...new Set([...roots].flatMap(namedIn))];
  };

  function namedIn(root: string): readonly string[] {
    const before = known.get(root);
    if (before !== undefined && before.stamps === stampsOf(before.files)) return before.paths;
    const files: string[] = [];
    const paths = new Set<string>();
    const waiting = [...configs, ...configsOf(root)];
    for (let file = waiting.shift(); file !== undefined && files.length < MAX_FILES; file = waiting.shift()) {
      files.push(file);
      for (const [key, value] of parseConfig(textAt(file))) {
        const isInclude = key.startsWith('include');
        if (PATHS.test(key) && !IGNORES.test(value)) {
          const at = resolve(isInclude ? join(file, '..') : root, withHome(value));
          if (isInclude && !files.includes(at)) waiting.push(at);
          add(at);
        } else if ((LINES.test(key) && !UPDATES.test(value)) || isRunAddress(key, value)) {
          for (const word of wordsOf((ADDRESS.exec(key)?.[1] ?? value).replace(/^ext::/, ''))) {
            const at = resolve(root, withHome(word));
            if (LIKE_A_FILE.test(word) || existsSync(at)) add(at);
          }
        }
      }
    }
    known.set(root, { stamps: stampsOf(files), files, paths: [...paths] });
    return [...paths];

    function add(at: string): void {
      const path = relative(workspace, at);
      if (path !== '' && !path.startsWith('..') && !isAbsolute(path) && !path.split('/').includes('.git'))
        paths.add(path);
    }
  }

  function withHome(path: string): string {
    return /^~(?:\/|$)/.test(path) ? `${home}${path.slice(1)}` : path;
  }
}

type Known = {
  readonly stamps: string;
  readonly files: readonly string[];
  readonly paths: readonly string[];
};

/** The work trees that `git worktree add` linked to a repository. */
function linkedTreesOf(root: string): readonly string[] {
  const { shared } = foldersOf(root);
  return namesIn(join(shared, 'worktrees')).flatMap((name) => {
    const folder = join(shared, 'worktrees', name);
    const at = textAt(join(folder, 'gitdir')).trim();
    return at === '' ? [] : [dirname(resolve(folder, at))];
  });
}

/** Work trees below the workspace around changed paths, existing or new. */
function rootsAmong(workspace: string, changed: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  const roots = new Set<string>();
  for (const path of changed) {
    const segments = path.split('/');
    const git = segments.indexOf('.git');
    if (git > 0) roots.add(segments.slice(0, git).join('/'));
    for (let length = segments.length - 1; length > 0; length--) {
      const folder = segments.slice(0, length).join('/');
      if (folders.has(folder)) break;
      folders.add(folder);
      if (lstatSync(join(workspace, folder, '.git'), { throwIfNoEntry: false }) !== undefined)
        roots.add(folder);
    }
  }
  return [...roots].map((folder) => join(workspace, folder));
}

function namesIn(folder: string): readonly string[] {
  try {
    return existsSync(folder) ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}

/** Git's work tree; the workspace itself without a repository. */
function rootAbove(workspace: string): string {
  for (let folder = workspace; ; folder = dirname(folder)) {
    if (lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return folder;
    if (dirname(folder) === folder) return workspace;
  }
}

/** The configuration files of the repository and of a linked work tree. */
function configsOf(root: string): string[] {
  const { folder, shared } = foldersOf(root);
  return [join(shared, 'config'), join(folder, 'config.worktree')];
}

/** Git's folder for one work tree, and the one shared by the repository. */
function foldersOf(root: string): { readonly folder: string; readonly shared: string } {
  const at = join(root, '.git');
  const named = /^gitdir: (.+)$/.exec(textAt(at).trim())?.[1];
  const folder = named === undefined ? at : resolve(root, named);
  const common = textAt(join(folder, 'commondir')).trim();
  return { folder, shared: common === '' ? folder : resolve(folder, common) };
}

function isRunAddress(key: string, value: string): boolean {
  const address = ADDRESS.exec(key);
  return address !== null && (address[1] ?? value).startsWith('ext::');
}

function wordsOf(line: string): readonly string[] {
  return line
    .split(/[\s'"`;|&<>()!=$]+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);
}

/** Empty if it isn't a small regular file. */
function textAt(path: string): string {
  try {
    // Most of them are missing, and exceptions are slow.
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true && stats.size <= MAX_BYTES ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
}

function stampsOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
      return stats === undefined ? '-' : `${stats.ino} ${stats.ctimeNs} ${stats.size}`;
    })
    .join('\n');
}
