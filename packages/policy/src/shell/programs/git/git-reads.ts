import { hasOption } from '../../options.ts';
import { judgeNamesFromInput } from '../../paths/named-secrets.ts';
import { mayMatchSecret, secretIn } from '../../paths/path-words.ts';
import type { Rule, EvaluationContext } from '../../program.ts';
import { touchRead, touchWrite } from '../../paths/touch.ts';
import { after, beginningOf, textOf, type Word } from '../../word.ts';
import { takesWork, writesRefs, writesTree } from './git-effects.ts';
import { judgeRemotePrograms, judgeUrls } from './git-remotes.ts';
import { valuesOf } from '../node/loads-modules.ts';

/** Verbs of `git remote` that change only the configuration. */
const NOTES_ADDRESS = /^(?:add|remove|rm|rename|set-url|set-branches)$/;

/** Options of every command that shows a diff. */
const DIFF =
  '-# -abBCDFhlmMnOpqrRstuwWz0cgiE -U: -G: -S: -M? -C? -B? -O:read -l: -L: -X? --patch --no-patch --unified= --output=write --output-indicator-new= --output-indicator-old= --output-indicator-context= --raw --patch-with-raw --patch-with-stat --indent-heuristic --no-indent-heuristic --minimal --patience --histogram --anchored= --diff-algorithm= --stat? --compact-summary --numstat --shortstat --dirstat? --cumulative --summary --name-only --name-status --submodule? --color? --no-color --color-moved? --no-color-moved --color-words? --word-diff? --word-diff-regex= --no-renames --rename-empty --check --ws-error-highlight= --full-index --binary --abbrev? --break-rewrites? --find-renames? --find-copies? --find-copies-harder --irreversible-delete --diff-filter= --find-object= --pickaxe-all --pickaxe-regex --skip-to= --rotate-to= --relative? --no-relative --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --inter-hunk-context= --function-context --exit-code --quiet --ext-diff --no-ext-diff --textconv --no-textconv --ignore-submodules? --src-prefix= --dst-prefix= --no-prefix --default-prefix --line-prefix= --ita-invisible-in-index --cached --staged --merge-base --no-index --base --ours --theirs';

const LOG =
  '--follow --decorate? --no-decorate --decorate-refs= --source --mailmap --no-mailmap --log-size --max-count= --skip= --since= --since-as-filter= --after= --until= --before= --author= --committer= --grep-reflog= --grep= --all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings --perl-regexp --remove-empty --merges --no-merges --min-parents= --max-parents= --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --not --all --branches? --tags? --remotes? --glob= --exclude= --exclude-hidden= --reflog --alternate-refs --single-worktree --ignore-missing --bisect --stdin --cherry-mark --cherry-pick --left-only --right-only --cherry --walk-reflogs --merge --boundary --simplify-by-decoration --show-pulls --full-history --dense --sparse --simplify-merges --ancestry-path? --date-order --author-date-order --topo-order --reverse --no-walk? --do-walk --pretty? --format= --abbrev-commit --no-abbrev-commit --oneline --encoding= --expand-tabs? --no-expand-tabs --notes? --no-notes --show-notes? --show-signature --relative-date --date= --parents --children --left-right --graph --no-graph --show-linear-break? --count --no-commit-id --root --diff-merges= --no-diff-merges --combined-all-paths --dd --remerge-diff --cc -g -e: -L: --numbered --summary --email --group= --pathspec-from-file=names';

const EXTERNAL: NonNullable<Rule['raises']> = [
  {
    when: '--ext-diff --textconv',
    level: 'warning',
    code: 'starts-program',
    text: 'lets git start the configured diff program',
  },
  {
    when: '--show-signature',
    level: 'warning',
    code: 'starts-program',
    text: 'lets git start the configured signature program',
  },
];

/** Read-only git commands. Those with a writing form distinguish the two. */
export const gitReads: Readonly<Record<string, Rule>> = {
  status: {
    options:
      '-sbvzu? -M? --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignore-submodules? --ignored? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames? --null',
    examples: { safe: ['git status', 'git status -sb', 'git status --porcelain=v1 -uall'] },
  },
  'diff log show whatchanged shortlog diff-tree diff-index diff-files range-diff': {
    options: `${DIFF} ${LOG}`,
    raises: EXTERNAL,
    judge: ({ options, context }) => {
      if (hasOption(options, '--no-index')) for (const word of options.operands) touchRead(context, word);
      readsRevisions(options.operands, context);
      for (const value of valuesOf(options, '-L')) {
        if (value !== undefined)
          readsRevisions([after(value, beginningOf(value).lastIndexOf(':') + 1)], context);
      }
    },
    examples: {
      safe: [
        'git diff --stat HEAD~1',
        'git log -p -2 src/index.ts',
        'git log --oneline -n 5',
        'git show HEAD~2:rm.sh',
        'git log --grep=sudo',
        "git log --format='%h %s'",
      ],
      warning: [
        'git diff --output x.patch',
        'git log --output=x',
        'git diff --outp x',
        'git diff --ext-diff',
        'git diff $args',
        'git log --frobnicate',
      ],
      dangerous: ['git diff --no-index a ~/.ssh/id_rsa', 'git log -L1,5:.env', 'git show HEAD:.env'],
    },
  },
  'rev-parse rev-list describe name-rev merge-base cherry ls-files ls-tree show-ref for-each-ref count-objects show-branch check-ignore check-attr check-ref-format check-mailmap var verify-pack get-tar-commit-id version patch-id stripspace':
    {
      unknownOptions: 'any',
      anyOption: 'harmless',
      examples: {
        safe: ['git check-ignore -v .env', 'git rev-parse HEAD', 'git ls-files', 'git merge-base main "$x"'],
      },
    },
  'cat-file blame annotate fsck verify-commit verify-tag help column merge-tree': {
    unknownOptions: 'any',
    judge: (invocation) => {
      const { words, context, span } = invocation;
      // Only these show the content of a file; the others show its name.
      if (/ (?:blame|annotate|cat-file)$/.test(invocation.program)) {
        readsRevisions(words, context);
        // `--ignore-revs-file=.env`: a word that is no revision is a path.
        readsRevisions(
          words.map((word) => after(word, beginningOf(word).indexOf('=') + 1)),
          context,
        );
      }
      // `--batch-check` shows only kinds and sizes.
      if (words.some((word) => /^--batch(?!-ch|-a)/.test(beginningOf(word))))
        judgeNamesFromInput(context, span);
      const program = words.find((word) =>
        /^--(?:conte|textc|filters|filter$|lo|edit|we|inf|write|com)/.test(beginningOf(word)),
      );
      const opens =
        invocation.program === 'git help' && words.some((word) => /^-[wi]/.test(beginningOf(word)));
      if (program !== undefined || opens)
        context.report.raise('warning', 'unknown-option', {
          text: 'runs configured filters, or writes',
          span,
        });
    },
    examples: {
      safe: [
        'git blame -L 1,5 a.ts',
        'git rev-list --objects HEAD -- a.ts | git cat-file --batch',
        'git rev-parse HEAD:.env | git cat-file --batch-check',
      ],
      warning: ['git cat-file --textc HEAD:a', 'git fsck --lost', 'git merge-tree --write-tree a b'],
      dangerous: [
        'git cat-file -p HEAD:.env',
        'git blame --ignore-revs-file=.env x',
        'git rev-list --objects HEAD -- .env | git cat-file --batch',
        'git rev-parse HEAD:.env | git cat-file --batch-command',
      ],
    },
  },
  'merge-file': {
    options:
      '-pq -L: --stdout --quiet --ours --theirs --union --diff3 --zdiff3 --marker-size= --object-id --diff-algorithm=',
    operands: 'read',
    judge: ({ options, context }) => {
      const [target] = options.operands;
      if (target !== undefined && !hasOption(options, '-p', '--stdout')) touchWrite(context, target);
    },
    examples: {
      safe: ['git merge-file -p a base b'],
      warning: ['git merge-file a base b'],
      dangerous: ['git merge-file -p .env base b'],
    },
  },
  grep: {
    options:
      '-# -aIirwvEGPFnLlcopqhHzW -A: -B: -C: -O? -e: -f:read -m: --cached --untracked --no-index --no-exclude-standard --exclude-standard --recurse-submodules --invert-match --ignore-case --word-regexp --text --textconv --recursive --no-recursive --max-depth= --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column --full-name --files-with-matches --name-only --files-without-match --null --count --color? --no-color --break --heading --show-function --function-context --max-count= --threads= --and --or --not --all-match --only-matching --quiet --context= --after-context= --before-context= --open-files-in-pager?',
    raises: [
      {
        when: '-O --open-files-in-pager',
        level: 'dangerous',
        code: 'starts-program',
        text: 'opens files in a program named on the line',
      },
    ],
    judge: ({ options, context }) => {
      const paths = hasOption(options, '-e', '-f') ? options.operands : options.operands.slice(1);
      readsRevisions(paths, context);
      if (hasOption(options, '--no-index'))
        for (const word of paths) touchRead(context, word, { scope: 'tree' });
    },
    examples: {
      safe: ['git grep -n foo', 'git grep -e a --and -e b', "git grep foo -- ':!.env'"],
      dangerous: [
        'git grep --open-files-in-pager=./x foo',
        'git grep -O./x foo',
        'git grep -e . .env',
        "git grep . -- ':(top)*.env'",
        'git grep --no-index . ~/.ssh/config',
      ],
      warning: ['git grep "$p"'],
    },
  },
  remote: {
    options: '-vn --verbose --all --push --add --delete --prune --dry-run --tags --no-tags -t: -m: -f',
    judge: (invocation) => {
      const [verb] = invocation.options.operands;
      const name = textOf(verb);
      const lists = name === 'show' && invocation.options.operands.length === 1;
      if (verb === undefined || name === 'get-url' || lists) return;
      const { report } = invocation.context;
      // They only store an address, unless they fetch from it at once.
      if (NOTES_ADDRESS.test(name ?? ''))
        report.effect({ kind: 'write', path: '.git/config', scope: 'file' });
      else report.effect({ kind: 'network' });
      if (hasOption(invocation.options, '-f', '--fetch')) judgeUrls(invocation.options.operands, invocation);
      else judgeRemotePrograms(invocation.options.operands, invocation);
      writesRefs(invocation, { level: 'warning', text: `changes or contacts remotes` });
    },
    examples: {
      safe: ['git remote', 'git remote -v', 'git remote show', 'git remote get-url origin'],
      warning: [
        'git remote set-head origin -a',
        'git remote add x https://x.example/x',
        'git remote add -f x https://x.example/x',
        'git remote show origin',
      ],
      dangerous: ["git remote set-url origin 'ext::sh -c id'"],
    },
  },
  reflog: {
    options: `${DIFF} ${LOG} --expire= --expire-unreachable= --updateref --rewrite --stale-fix --dry-run`,
    raises: EXTERNAL,
    judge: (invocation) => {
      const [verb] = invocation.options.operands;
      if (/^(?:expire|delete|drop|write)$/.test(textOf(verb) ?? ''))
        writesRefs(invocation, { level: 'dangerous', text: 'deletes reflog entries' });
    },
    examples: {
      safe: ['git reflog', 'git reflog show HEAD'],
      warning: ['git reflog show --output=x', 'git reflog -p --ext-diff'],
      dangerous: ['git reflog expire --expire=now --all'],
    },
  },
  stash: {
    unknownOptions: 'any',
    judge: (invocation) => {
      const [first] = invocation.words;
      const verb = textOf(first);
      if (verb === 'list' || verb === 'show') {
        if (invocation.words.some((word) => /^--(?:outp|ext)/.test(beginningOf(word))))
          writesTree(invocation, { level: 'warning', text: 'writes a file' });
        return readsRevisions(invocation.options.operands.slice(1), invocation.context);
      }
      if (verb === 'create')
        return writesRefs(invocation, { level: 'warning', text: 'stores a copy of uncommitted work' });
      if (verb === 'drop' || verb === 'clear') {
        takesWork(invocation, 'deletes stashed work, including that of others');
        return writesRefs(invocation, { level: 'dangerous', text: 'deletes stashed work' });
      }
      writesTree(invocation, { level: 'warning', text: 'moves work into or out of the stash' });
      takesWork(invocation, 'moves all uncommitted work in the workspace');
    },
    examples: {
      safe: ['git stash list', 'git stash show -p'],
      warning: ['git stash', 'git stash push -m x', 'git stash pop', 'git stash apply'],
      dangerous: ['git stash drop', 'git stash clear', 'git stash show -p -- .env'],
    },
  },
};

/** `HEAD:.env`, `':(top).env'`, `'*.env'`: a secret is one in every revision, in any spelling of the path. */
function readsRevisions(words: readonly Word[], context: EvaluationContext): void {
  for (const word of words) {
    const text = textOf(word) ?? '';
    if (/^:(?:[!^]|\([^)]*exclude)/.test(text)) continue;
    const path = text.replace(/^:\([^)]*\)|^:\/|^[^:]*:/, '');
    const secret = secretIn(path);
    if (secret !== undefined) touchRead(context, { ...word, kind: 'literal', text: secret });
    else if (mayMatchSecret(path)) touchRead(context, { ...word, kind: 'glob', pattern: path });
  }
}
