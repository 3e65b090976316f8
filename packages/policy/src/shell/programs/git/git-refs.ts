import { hasOption } from '../../options.ts';
import type { Invocation, Rule } from '../../program.ts';
import { writesRefs } from './git-effects.ts';

/** Git commands that list refs, or create, move and delete them. */
export const gitRefs: Readonly<Record<string, Rule>> = {
  branch: {
    options:
      '-# -aArlvvqi -d -D -m -M -c -C -f -t? -u: --all --remotes --list --verbose --quiet --show-current --contains? --no-contains? --merged? --no-merged? --points-at= --format= --sort= --column? --no-column --color? --no-color --abbrev? --no-abbrev --ignore-case --omit-empty --delete --move --copy --force --track? --no-track --set-upstream-to= --unset-upstream --edit-description --create-reflog --recurse-submodules',
    judge: (invocation) =>
      judgeRefs(invocation, {
        writes:
          '-d -m -c -t -u --delete --move --copy --track --set-upstream-to --unset-upstream --edit-description',
        forces: '-D -M -C -f --force',
      }),
    examples: {
      safe: [
        'git branch',
        'git branch -a',
        'git branch --show-current',
        "git branch --list 'a*'",
        'git branch --merged main',
      ],
      warning: ['git branch topic', 'git branch -v topic', 'git branch -d old', 'git branch -m new'],
      dangerous: ['git branch -D old', 'git branch -f main HEAD~3', 'git branch --delete --force x'],
    },
  },
  tag: {
    options:
      '-# -alsnivF:read -d -f -m: -u: -n? --list --annotate --sign --no-sign --local-user= --force --delete --verify --sort= --column? --no-column --contains? --no-contains? --merged? --no-merged? --points-at= --message= --file=read --edit --cleanup= --create-reflog --color? --format= --ignore-case',
    judge: (invocation) =>
      judgeRefs(invocation, {
        writes: '-a -s -m -u --annotate --sign --message --edit',
        forces: '-d -f --delete --force',
      }),
    examples: {
      safe: ['git tag', "git tag -l 'v*'", 'git tag -v v1', 'git tag --contains HEAD'],
      warning: ['git tag v1', 'git tag -a v1 -m x'],
      dangerous: ['git tag -d v1', 'git tag -f v1'],
    },
  },
};

/** Lists with reading options, or creates, moves and deletes refs. */
function judgeRefs(
  invocation: Invocation,
  { writes, forces }: Readonly<{ writes: string; forces: string }>,
): void {
  const { options } = invocation;
  if (hasOption(options, ...forces.split(' ')))
    return writesRefs(invocation, { level: 'dangerous', text: 'force-moves or deletes refs' });
  const lists = hasOption(
    options,
    '-l',
    '--list',
    '--contains',
    '--no-contains',
    '--merged',
    '--no-merged',
    '--points-at',
    '--show-current',
    '--verify',
    '-a',
    '-r',
    '--all',
    '--remotes',
    '-n',
  );
  // `git tag -v` verifies; for a branch it only prints more.
  const verifies = invocation.program === 'git tag' && hasOption(options, '-v');
  const isWrite = hasOption(options, ...writes.split(' '));
  if (isWrite || (options.operands.length > 0 && !lists && !verifies))
    writesRefs(invocation, { level: 'warning', text: 'creates, moves or deletes refs' });
}
