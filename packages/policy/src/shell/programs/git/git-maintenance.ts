import type { Rule } from '../../program.ts';
import { isSecret } from '../../paths/path-words.ts';
import { touchRead, touchWrite } from '../../paths/touch.ts';
import { after, beginningOf, textOf, type Word } from '../../word.ts';
import { makesCommits, takesWork, UNCOMMITTED, writesRefs, writesTree } from './git-effects.ts';
import { judgeUrls } from './git-remotes.ts';

/** Git commands that maintain, create or rewrite whole repositories. */
export const gitMaintenance: Readonly<Record<string, Rule>> = {
  'gc prune repack pack-refs pack-objects update-index read-tree write-tree commit-tree update-ref symbolic-ref replace notes rerere update-server-info hash-object mktree mktag unpack-objects index-pack fast-import maintenance sparse-checkout submodule lfs':
    {
      unknownOptions: 'any',
      judge: (invocation) => {
        const { words } = invocation;
        const named = invocation.program.slice(4);
        const isList =
          /^(?:list|status|show|summary)$/.test(textOf(words[0]) ?? '') ||
          (named === 'submodule' && words.length === 0);
        if ((named === 'notes' || named === 'sparse-checkout') && isList) return;
        if (isReadOnly(named, words)) return;
        if (named === 'submodule') {
          if (isList) return;
          judgeUrls(words, invocation);
          const foreach = words.findIndex((word) => textOf(word) === 'foreach');
          if (foreach >= 0) {
            for (const word of words.slice(foreach + 1))
              invocation.context.walk.runText(textOf(word) ?? '"$unknown"', word.span, invocation.context);
          }
          invocation.context.report.effect({ kind: 'network' });
        }
        for (const word of words)
          if (named === 'hash-object' || isSecret(textOf(word) ?? '')) touchRead(invocation.context, word);
        const line = words.map((word) => beginningOf(word)).join(' ');
        const forced =
          ((named === 'update-ref' || named === 'prune') && words.length > 0) ||
          (named === 'read-tree' && /--reset|(?:^|\s)-u/.test(line)) ||
          (named === 'submodule' && /^deinit.*-f|^deinit.*--force/.test(line)) ||
          (named === 'gc' && /--prune=(?:now|all)/.test(line)) ||
          ((named === 'symbolic-ref' || named === 'replace') && /^(?:-d|--delete)/.test(line)) ||
          (named === 'lfs' && /^(?:prune|migrate|install|uninstall|push)/.test(line));
        const overwrites =
          forced || (named === 'submodule' && /^update\b.*(?:-f|--force|--checkout)(?:\s|$)/.test(line));
        if ((named === 'read-tree' || named === 'submodule') && overwrites)
          takesWork(invocation, UNCOMMITTED);
        if (/^(?:commit-tree|update-ref|fast-import|replace)$/.test(named))
          makesCommits(invocation, 'creates commits or moves a branch');
        writesTree(invocation, { level: forced ? 'dangerous' : 'warning', text: 'changes the repository' });
      },
      examples: {
        safe: ['git submodule', 'git hash-object a.txt', 'git symbolic-ref HEAD', 'git replace --list'],
        warning: ['git gc', 'git submodule update --init', 'git hash-object -w a.txt'],
        dangerous: [
          'git submodule deinit -f --all',
          'git gc --prune=now',
          'git read-tree --reset -u HEAD',
          'git update-ref -d refs/heads/x',
          "git submodule foreach 'rm -rf lib'",
          "git submodule add 'ext::sh -c id' x",
        ],
      },
    },
  init: {
    unknownOptions: 'any',
    judge: (invocation) => {
      const [folder] = invocation.options.operands;
      const unusual = invocation.words.some((word) => /^--(?:templ|sep)/.test(beginningOf(word)));
      if (unusual)
        invocation.context.report.raise('dangerous', 'git-setting', {
          text: 'sets which programs or folders git uses',
          span: invocation.span,
        });
      if (folder === undefined)
        return writesRefs(invocation, { level: 'warning', text: 'creates a repository' });
      invocation.context.report.raise('warning', 'git-refs', {
        text: 'creates a repository',
        span: invocation.span,
      });
      touchWrite(invocation.context, folder, { scope: 'tree' });
    },
    examples: { warning: ['git init', 'git init sub'], dangerous: ['git init --template=./x'] },
  },
  'checkout-index': {
    unknownOptions: 'any',
    judge: (invocation) => {
      const forced = invocation.words.some((word) => /^-[a-z]*f|^--force/.test(beginningOf(word)));
      writesTree(invocation, {
        level: forced ? 'dangerous' : 'warning',
        text: 'copies files out of the index',
      });
      const prefix = invocation.words.find((word) => beginningOf(word).startsWith('--prefix='));
      if (forced && prefix === undefined) takesWork(invocation, UNCOMMITTED);
      if (prefix !== undefined)
        touchWrite(invocation.context, after(prefix, '--prefix='.length), { scope: 'tree' });
    },
    examples: {
      warning: ['git checkout-index -a', 'git checkout-index -a --prefix=out/'],
      dangerous: ['git checkout-index -a -f'],
      blocked: ['git checkout-index -a --prefix=/etc/'],
    },
  },
  'filter-branch filter-repo': {
    unknownOptions: 'any',
    judge: (invocation) => writesTree(invocation, { level: 'dangerous', text: 'rewrites the whole history' }),
    examples: { dangerous: ['git filter-branch --tree-filter x'] },
  },
};

/** `git hash-object a` without `-w`, `git symbolic-ref HEAD`, `git prune -n`: these forms change nothing. */
function isReadOnly(named: string, words: readonly Word[]): boolean {
  const texts = words.map((word) => textOf(word) ?? '-?');
  switch (named) {
    case 'hash-object':
      return (
        texts.every(
          (text) => !text.startsWith('-') || /^(?:-t|--stdin|--no-filters|--path=.*)$/.test(text),
        ) && !texts.some((text) => isSecret(text))
      );
    case 'symbolic-ref':
      return (
        texts.every((text) => !text.startsWith('-') || /^(?:-q|--short|--quiet|--no-recurse)$/.test(text)) &&
        texts.filter((text) => !text.startsWith('-')).length === 1
      );
    case 'replace':
    case 'rerere':
    case 'lfs':
    case 'maintenance':
      return (
        /^(?:-l|--list|status|diff|ls-files|env|version|logs)$/.test(texts[0] ?? '') && texts.length === 1
      );
    case 'prune':
      return texts[0] === '-n' || texts[0] === '--dry-run';
    case 'update-index':
      return texts.length > 0 && texts.every((text) => /^(?:-q|--refresh|--really-refresh)$/.test(text));
    default:
      return false;
  }
}
