import type { Difference, Inspector, PreviewFile } from '@signalbox/core';
import type { IsDenied } from '../denials/default-denials.ts';
import { inRepository, type Repository, type RepositoryOptions } from './open-repository.ts';

const MAX_PATCH_BYTES = 64 * 1024;
const MAX_LIST_BYTES = 1024 ** 2;
const MAX_FILES = 100;

/** The base before the first commit: the empty tree, by the length of the repository's ids. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** No external programs, no submodule status, no colour, raw names. */
const DIFF = (
  '-c core.quotePath=false -c diff.renames=true -c diff.renameLimit=200 -c core.fsmonitor=false ' +
  'diff --no-ext-diff --no-textconv --no-color --ignore-submodules=all --src-prefix=a/ --dst-prefix=b/'
).split(' ');

type Step = Parameters<Inspector['commit']>[0];
type Range = Readonly<{ args: readonly string[]; paths: readonly string[] }>;

/** Shows what a commit would contain, against HEAD: staged changes, and those the line stages itself. */
export async function commitDiff(
  step: Step,
  options: RepositoryOptions & { readonly isDenied: IsDenied },
): Promise<Difference> {
  return inRepository(step.cwd, options, async (repository) => {
    const base = repository.refs.head.commit ?? EMPTY_TREE;
    const files: PreviewFile[] = [];
    const patches: string[] = [];
    let isCut = false;
    for (const range of rangesOf(step, base)) {
      const own = await listed(range, repository);
      // Denied files are listed but not shown.
      const hidden = own.filter(({ path }) => options.isDenied(inWorkspace(path, repository), 'read'));
      const patch = await repository.git(
        [...DIFF, ...range.args, '--', ...fromTop(range.paths), ...hidden.map(excluded)],
        MAX_PATCH_BYTES,
      );
      files.push(...own);
      patches.push(patch.text);
      isCut ||= patch.isCut;
    }
    const patch = patches.join('');
    const isLong = patch.length > MAX_PATCH_BYTES;
    const sorted = files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
    return {
      files: sorted.slice(0, MAX_FILES),
      fileCount: files.length,
      patch: (isLong ? patch.slice(0, MAX_PATCH_BYTES) : patch).toWellFormed(),
      isCut: isCut || isLong,
    };
  });
}

/** `-a` and named paths use the work tree. Otherwise the index is used, plus what the line adds to it. */
function rangesOf({ isAll, only, added }: Step, base: string): readonly Range[] {
  if (only.length > 0) return [{ args: [base], paths: only }];
  if (isAll) return [{ args: [base], paths: [] }];
  if (added.length === 0) return [{ args: ['--cached', base], paths: [] }];
  const others = added.map((path) => `:(exclude)${path.replace(/^:\//, ':(top)')}`);
  const rest = added.some((path) => path === '.' || path === ':/') ? [] : ['.', ...others];
  return [
    ...(rest.length === 0 ? [] : [{ args: ['--cached', base], paths: rest }]),
    { args: [base], paths: added },
  ];
}

/** Paths that only exclude mean "all but". */
function fromTop(paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? [':/'] : paths;
}

function excluded({ path }: PreviewFile): string {
  return `:(exclude,top,literal)${path}`;
}

function inWorkspace(path: string, { root }: Repository): string {
  return root === '.' ? path : `${root}/${path}`;
}

async function listed({ args, paths }: Range, repository: Repository): Promise<readonly PreviewFile[]> {
  const { git } = repository;
  if (!args.includes('--cached') && paths.length > 0) await addCreated(paths, repository);
  const count = [...DIFF, '--numstat', '-z', '--no-renames', ...args, '--', ...fromTop(paths)];
  const { text } = await git(count, MAX_LIST_BYTES);
  return text.split('\0').flatMap((row): PreviewFile[] => {
    const [added, removed, path] = row.split('\t');
    if (added === undefined || removed === undefined || path === undefined) return [];
    return [{ path, added: countOf(added), removed: countOf(removed) }];
  });
}

/** Adds new files to our copy of the index, by name and hash only, so that the diff shows them. */
async function addCreated(paths: readonly string[], { git }: Repository): Promise<void> {
  const { text } = await git(
    ['ls-files', '--others', '--exclude-standard', '-z', '--', ...paths],
    MAX_LIST_BYTES,
  );
  const created = text.split('\0').filter((path) => path !== '' && !path.endsWith('/'));
  if (created.length === 0) return;
  const few = created.slice(0, MAX_FILES);
  await git(['update-index', '--add', '--info-only', '--', ...few], MAX_LIST_BYTES);
}

/** Git prints `-` for a binary file. */
function countOf(text: string): number | null {
  const count = Number(text);
  return Number.isInteger(count) ? count : null;
}
