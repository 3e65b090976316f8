import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { gitFolder, isTrackedByGit } from '../../runtime/settings/is-tracked-by-git.ts';
import { writeWhole } from '../../runtime/workspace/write-whole.ts';
import type { PlannedFile } from './settings-text.ts';

const FOLDER_MODE = 0o755;

/**
 * With `--local`, makes git ignore the files in this clone; otherwise says what committing them means for colleagues.
 * Returns notes for the user.
 */
export async function keepFromGit(
  planned: readonly PlannedFile[],
  { applies, local, directory }: Readonly<{ applies: boolean; local: boolean; directory: string }>,
): Promise<readonly string[]> {
  const exclude = await findGitExclude(directory);
  if (exclude === null) return [];
  const files = planned.filter(({ after }) => after !== null).map(({ file }) => file.path);
  const paths = planned.map(({ file }) => file.path);
  if (!local) {
    if (applies) includeInGit(exclude, directory, { paths });
    return files.length === 0 ? [] : [COMMITTED];
  }
  if (applies) excludeFromGit(exclude, directory, { paths: files });
  const tracked = await Promise.all(files.map((path) => isTrackedByGit(directory, path)));
  const shared = files.filter((_, i) => tracked[i] === true);
  return shared.length === 0
    ? []
    : [
        `git tracks ${shared.join(', ')} already: keep these changes out of your commits, or everyone gets them`,
      ];
}

const COMMITTED =
  'If committed, these settings turn off every colleague’s own tools and contain paths of this machine: --local keeps them out of git; to share them, connect with --command signalbox';

/** Git's exclude file of this clone; null outside of git. */
type GitExclude = Readonly<{ file: string; root: string }>;

async function findGitExclude(workspace: string): Promise<GitExclude | null> {
  const folder = await gitFolder(workspace);
  if (folder === null) return null;
  // A worktree shares that of its repository (gitrepository-layout(5), commondir).
  const common = textOf(join(folder, 'commondir'));
  const shared = common === null ? folder : resolve(folder, common.trim());
  return { file: join(shared, 'info', 'exclude'), root: rootOf(workspace) };
}

/** Makes git ignore these files of a workspace without changing the repository. Idempotent. */
function excludeFromGit(
  { file, root }: GitExclude,
  workspace: string,
  { paths }: Readonly<{ paths: readonly string[] }>,
): void {
  const lines = linesOf(file);
  const fresh = patterns(root, workspace, { paths }).filter((pattern) => !lines.includes(pattern));
  if (fresh.length > 0) write(file, [...lines, ...fresh]);
}

/** Reverts {@link excludeFromGit}. */
function includeInGit(
  { file, root }: GitExclude,
  workspace: string,
  { paths }: Readonly<{ paths: readonly string[] }>,
): void {
  const lines = linesOf(file);
  const ours = patterns(root, workspace, { paths });
  const left = lines.filter((line) => !ours.includes(line));
  if (left.length < lines.length) write(file, left);
}

/** Anchored at the root, so that no other file of that name matches; special characters are escaped. */
function patterns(
  root: string,
  workspace: string,
  { paths }: Readonly<{ paths: readonly string[] }>,
): readonly string[] {
  return paths.map(
    (path) => `/${relative(root, join(workspace, path)).replaceAll(/[\\*?[\]!#]/g, String.raw`\$&`)}`,
  );
}

function write(file: string, lines: readonly string[]): void {
  writeWhole(file, lines.length === 0 ? '' : `${lines.join('\n')}\n`, { folderMode: FOLDER_MODE });
}

function linesOf(file: string): readonly string[] {
  const text = textOf(file) ?? '';
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function rootOf(folder: string): string {
  return existsSync(join(folder, '.git')) || dirname(folder) === folder ? folder : rootOf(dirname(folder));
}
