import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { parseConfig } from './parse-config.ts';

const MAX_BYTES = 1024 ** 2;
const MAX_FILES = 20;
const MAX_WORDS = 64;
/** Other words of a line, such as `test`, are names of files only where one stands. */
const LIKE_A_FILE = /[^.][./]\w|^\.{0,2}\/|^~\//;

/** Keys whose value is a path that git reads settings or code from. */
const PATHS = /^(?:core\.(?:hookspath|attributesfile)|include\.path|includeif\..*\.path)$/;
/** Keys whose value is a line that git runs. */
const LINES =
  /^(?:core\.(?:fsmonitor|editor|pager|sshcommand|askpass|gitproxy|alternaterefscommand)|filter\..*\.(?:clean|smudge|process)|diff\.(?:external|.*\.(?:command|textconv))|merge\..*\.driver|alias\..*|credential\.(?:.*\.)?helper|gpg\.(?:.*\.)?program|sequence\.editor|pager\..*|(?:diff|merge)tool\..*\.cmd|uploadpack\.packobjectshook|interactive\.difffilter|trailer\..*\.(?:command|cmd))$/;

/**
 * The paths of the workspace that its repository's own configuration names as settings or code: hooks, included files,
 * the programs of filters, textconv, fsmonitor and the like. Read from the files alone, again when they change.
 *
 * One that is not there yet counts too: git runs it once it is.
 *
 * @param workspace Absolute and real; the repository may be a folder above.
 * @param home What `~` means to git.
 */
export function createNamedByGit(workspace: string, home: string): () => readonly string[] {
  let known: {
    readonly root: string;
    readonly stamps: string;
    readonly files: readonly string[];
    readonly paths: readonly string[];
  } | null = null;

  return () => {
    const root = rootAbove(workspace);
    if (known?.root === root && known.stamps === stampsOf(known.files)) return known.paths;
    const files: string[] = [];
    const paths = new Set<string>();
    const waiting = configsOf(root);
    for (let file = waiting.shift(); file !== undefined && files.length < MAX_FILES; file = waiting.shift()) {
      files.push(file);
      for (const [key, value] of parseConfig(textAt(file))) {
        const isInclude = key.startsWith('include');
        if (PATHS.test(key)) {
          const at = resolve(isInclude ? join(file, '..') : root, withHome(value));
          if (isInclude && !files.includes(at)) waiting.push(at);
          add(at);
        } else if (LINES.test(key)) {
          for (const word of wordsOf(value)) {
            const at = resolve(root, withHome(word));
            if (LIKE_A_FILE.test(word) || existsSync(at)) add(at);
          }
        }
      }
    }
    known = { root, stamps: stampsOf(files), files, paths: [...paths] };
    return known.paths;

    function add(at: string): void {
      const path = relative(workspace, at);
      if (path !== '' && !path.startsWith('..') && !isAbsolute(path) && !path.split('/').includes('.git'))
        paths.add(path);
    }
  };

  function withHome(path: string): string {
    return /^~(?:\/|$)/.test(path) ? `${home}${path.slice(1)}` : path;
  }
}

/** The folder that git takes for the work tree; the workspace itself where there is no repository. */
function rootAbove(workspace: string): string {
  for (let folder = workspace; ; folder = dirname(folder)) {
    if (lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return folder;
    if (dirname(folder) === folder) return workspace;
  }
}

/** Of the repository, and of its work tree where it is a linked one. */
function configsOf(root: string): string[] {
  const at = join(root, '.git');
  const named = /^gitdir: (.+)$/.exec(textAt(at).trim())?.[1];
  const folder = named === undefined ? at : resolve(root, named);
  const common = textAt(join(folder, 'commondir')).trim();
  const shared = common === '' ? folder : resolve(folder, common);
  return [join(shared, 'config'), join(folder, 'config.worktree')];
}

function wordsOf(line: string): readonly string[] {
  return line
    .split(/[\s'"`;|&<>()!=$]+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);
}

/** Empty for what is no small regular file. */
function textAt(path: string): string {
  try {
    const stats = lstatSync(path);
    return stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(path, 'utf8') : '';
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
