import { networkOf } from '../../host-of.ts';
import { hasOption } from '../../options.ts';
import { NETWORK, type Rule, WRITES_UNKNOWN } from '../../program.ts';
import { absolutePath } from '../../paths/paths.ts';
import { touchRead, touchWrite } from '../../paths/touch.ts';
import { noteFetchedFolder } from '../../paths/written.ts';
import { after, beginningOf, literal, show, textOf } from '../../word.ts';
import { asksAutostash, makesCommits, takesWork, writesRefs, writesTree } from './git-effects.ts';

const UPLOAD: NonNullable<Rule['raises']> = [
  {
    when: '--upload-pack --receive-pack --exec -u',
    level: 'dangerous',
    code: 'starts-program',
    text: 'sets the program that the remote runs',
    effects: [WRITES_UNKNOWN],
  },
];

/** Git commands that talk to other repositories, or to its settings. */
export const gitRemotes: Readonly<Record<string, Rule>> = {
  fetch: {
    options:
      '-# -aptvqfkn46jum -j: -o: -u --all --append --atomic --depth= --deepen= --shallow-since= --shallow-exclude= --unshallow --update-shallow --negotiation-tip= --dry-run --write-fetch-head --no-write-fetch-head --force --keep --multiple --prune --prune-tags --no-tags --tags --refmap= --recurse-submodules? --no-recurse-submodules --jobs= --set-upstream --submodule-prefix= --update-head-ok --upload-pack= --quiet --verbose --progress --server-option= --show-forced-updates --ipv4 --ipv6 --filter= --stdin',
    effects: [NETWORK],
    raises: UPLOAD.map((raise) => ({ ...raise, when: '--upload-pack' })),
    judge: (invocation) => {
      judgeUrls(invocation.options.operands, invocation);
      writesRefs(invocation, { level: 'warning', text: 'fetches from another repository' });
    },
    examples: {
      warning: ['git fetch origin', 'git fetch --all --prune'],
      dangerous: ['git fetch --upload-pack=./x origin', "git fetch 'ext::sh -c id'"],
    },
  },
  pull: {
    unknownOptions: 'any',
    effects: [NETWORK],
    judge: (invocation) => {
      judgeUrls(invocation.options.operands, invocation);
      const program = invocation.words.some((word) => beginningOf(word).startsWith('--upl'));
      if (asksAutostash(invocation.words))
        takesWork(invocation, 'moves all uncommitted work in the workspace into the stash and back');
      writesTree(invocation, { level: program ? 'dangerous' : 'warning', text: 'fetches and merges' });
      makesCommits(invocation, 'creates commits');
    },
    examples: { warning: ['git pull', 'git pull --rebase'], dangerous: ['git pull --upload-pack=./x'] },
  },
  push: {
    options:
      '-fnuqvd46o: --all --branches --mirror --tags --follow-tags --no-follow-tags --atomic --dry-run --porcelain --delete --force --force-with-lease? --no-force-with-lease --force-if-includes --receive-pack= --exec= --repo= --set-upstream --thin --no-thin --quiet --verbose --progress --recurse-submodules= --no-recurse-submodules --verify --no-verify --signed? --push-option= --ipv4 --ipv6 --prune',
    effects: [NETWORK],
    raises: [
      {
        when: '-f --force --force-with-lease --force-if-includes --mirror -d --delete --prune',
        level: 'dangerous',
        code: 'force-push',
        text: 'rewrites or deletes remote history',
      },
      ...UPLOAD.map((raise) => ({ ...raise, when: '--receive-pack --exec' })),
    ],
    judge: (invocation) => {
      judgeUrls(invocation.options.operands, invocation);
      for (const word of invocation.options.operands.slice(1)) {
        if (/^[+:]/.test(beginningOf(word)))
          writesRefs(invocation, { level: 'dangerous', text: 'rewrites or deletes remote history' });
      }
      if (!hasOption(invocation.options, '-n', '--dry-run'))
        writesRefs(invocation, { level: 'dangerous', text: 'publishes commits' });
      else
        invocation.context.report.raise('warning', 'network', {
          text: 'contacts another repository',
          span: invocation.span,
        });
    },
    examples: {
      warning: ['git push -n'],
      dangerous: [
        'git push',
        'git push --force origin main',
        'git push -f',
        'git push -uf origin main',
        'git push --forc',
        'git push origin +main',
        'git push origin :main',
        'git push --delete origin x',
      ],
    },
  },
  clone: {
    unknownOptions: 'any',
    level: 'warning',
    code: 'network',
    text: 'copies a repository',
    effects: [NETWORK],
    judge: (invocation) => {
      const { words, options, context, span } = invocation;
      judgeUrls(options.operands, invocation);
      if (words.some((word) => /^(?:-u|-c|--upl|--conf|--templ)/.test(beginningOf(word)))) {
        context.report.raise('dangerous', 'git-setting', {
          text: 'sets which programs git runs in the new repository',
          span,
        });
        context.report.effect(WRITES_UNKNOWN);
      }
      const folder = cloneFolder(words.map((word) => textOf(word) ?? '-?'));
      if (folder === undefined) context.report.effect(WRITES_UNKNOWN);
      else touchWrite(context, literal(folder, span), { scope: 'tree' });
      if (folder !== undefined && context.state.cwd !== undefined)
        noteFetchedFolder(absolutePath(folder, context.state.cwd), context);
    },
    examples: {
      warning: [
        'git clone https://x.example/a/b.git',
        'git clone https://x.example/a.git sub',
        'git clone --depth 1 https://x.example/a.git',
      ],
      dangerous: [
        'git clone -c core.fsmonitor=./x https://x.example/a',
        'git clone https://x.example/a.git /tmp/a',
        "git clone 'ext::sh -c id' x",
      ],
    },
  },
  'ls-remote request-pull imap-send send-email daemon http-backend instaweb svn p4 cvsimport shell credential credential-store credential-cache remote-https difftool mergetool gui citool bugreport diagnose':
    {
      unknownOptions: 'any',
      judge: ({ program, words, context, span }) => {
        const verb = program.slice(4);
        const sends =
          /^(?:imap-send|send-email|daemon|http-backend|instaweb|shell|credential)/.test(verb) ||
          words.some((word) => /^(?:dcommit|submit|set-tree|commit-diff)$/.test(textOf(word) ?? ''));
        context.report.raise(sends ? 'dangerous' : 'warning', 'git-outside', {
          text: 'contacts other programs or machines, or writes files',
          span,
        });
        if (words.some((word) => /^--(?:exec|upl|extcmd|tool-cmd|ext)|^-[a-z]*x/.test(beginningOf(word))))
          context.report.raise('dangerous', 'starts-program', { text: 'sets a program to run', span });
        if (/^(?:ls-remote|request-pull)$/.test(verb)) context.report.effect(NETWORK);
        else context.report.effect(WRITES_UNKNOWN);
      },
      examples: {
        warning: ['git ls-remote origin', 'git mergetool'],
        dangerous: [
          'git ls-remote --upload-pack=./x .',
          'git difftool -x ./y',
          'git difftool -yx ./y',
          'git credential fill',
        ],
      },
    },
  config: {
    unknownOptions: 'any',
    judge: (invocation) => {
      const { words, options, context, span } = invocation;
      const texts = words.map((word) => beginningOf(word));
      // `git config core.pager list` sets the value: only the first word is a verb.
      const isRead =
        /^(?:get|list)$/.test(texts[0] ?? '') || texts.some((text) => /^(?:--get|--list$|-l$)/.test(text));
      const changes = texts.some((text) =>
        /^(?:--(?:unset|add|edit|remove|rename|replace)|-e$|unset$|edit$|set$|remove-section$|rename-section$)/.test(
          text,
        ),
      );
      const at = texts.findIndex((text) => /^(?:-f|--fi[a-z]*)$/.test(text));
      const file = words.find((word) => /^--fi[a-z]*=/.test(beginningOf(word)));
      if (file !== undefined) touchRead(context, after(file, beginningOf(file).indexOf('=') + 1));
      for (const word of at < 0 ? [] : words.slice(at + 1, at + 2)) touchRead(context, word);
      if (words.length === 0 || ((isRead || options.operands.length === 1) && !changes)) {
        const names = options.operands.some((word) =>
          /credential|token|password|extraheader/i.test(textOf(word) ?? ''),
        );
        if (names)
          context.report.raise('dangerous', 'reads-secret', {
            text: 'reads a secret from the git settings',
            span,
          });
        return;
      }
      const key = texts.find((text) => /^[a-z][\w-]*\./i.test(text)) ?? '';
      const wide = texts.some((text) => /^--(?:glo|sys)/.test(text));
      const isHarmless =
        /^(?:user\.(?:name|email)|color\.|advice\.|init\.defaultbranch|pull\.rebase|push\.default|core\.autocrlf|branch\.)/i.test(
          key,
        );
      const command = words.find((word) => textOf(word)?.startsWith('!') === true);
      if (command !== undefined) context.walk.runText(beginningOf(command).slice(1), command.span, context);
      const named = file === undefined ? words[at + 1] : after(file, beginningOf(file).indexOf('=') + 1);
      const other = at < 0 && file === undefined ? undefined : named;
      if (other === undefined) context.report.effect({ kind: 'write', path: '.git/config', scope: 'file' });
      else touchWrite(context, other);
      // The modules of a repository: names and addresses, which git confirms before it runs anything in them.
      const isModules = textOf(other) === '.gitmodules' && /^submodule\..*\.(?:path|url|branch)$/is.test(key);
      if (isModules) judgeUrls(words, invocation);
      const where = other === undefined ? 'a git setting' : `a setting in ${show(other)}`;
      context.report.raise(wide || !(isHarmless || isModules) ? 'dangerous' : 'warning', 'git-setting', {
        text: `changes ${where}: ${key.slice(0, 60)}`,
        span,
      });
    },
    examples: {
      safe: ['git config --list', 'git config user.name', 'git config --get remote.origin.url'],
      warning: [
        'git config user.name x',
        'git config --unset user.name',
        'git config --file .gitmodules submodule.lib.branch main',
      ],
      dangerous: [
        'git config --global user.name x',
        'git config core.hooksPath ./x',
        'git config --list --file .env',
        "git config alias.x '!rm -rf lib'",
        'git config core.pager ./x',
        'git config core.pager list',
        "git config -f .gitmodules submodule.a.update '!touch x'",
        'git config -f .gitmodules submodule.a.url ext::sh',
        'git config -f ../x/.git/config user.name x',
        'git config --file=extra.cfg core.pager ./x',
      ],
    },
  },
};

type Operands = readonly Parameters<typeof beginningOf>[0][];
type At = { context: Parameters<typeof touchWrite>[0]; span: { start: number; end: number } };

/** Contacted hosts, and programs as in {@link judgeRemotePrograms}. */
export function judgeUrls(operands: Operands, at: At): void {
  for (const word of operands)
    if (/^(?:[a-z+]+:\/\/|[\w.-]+@[\w.-]+)/.test(beginningOf(word)))
      at.context.report.effect(networkOf(word));
  judgeRemotePrograms(operands, at);
}

/** `ext::` runs a program, and a URL that begins with a dash is an option. */
export function judgeRemotePrograms(operands: Operands, { context, span }: At): void {
  for (const word of operands) {
    if (!/^(?:ext|fd)::/.test(beginningOf(word))) continue;
    context.report.raise('dangerous', 'starts-program', { text: 'uses a program as a remote', span });
    context.report.effect(WRITES_UNKNOWN);
    context.walk.runText(beginningOf(word).replace(/^(?:ext|fd)::/, ''), span, context);
  }
}

/** Options of `git clone` that do not decide its folder: those with a value of their own, and others. */
const WITH_VALUE = /^(?:--depth|-b|--branch|-o|--origin|-j|--jobs|--filter|--shallow-since)$/;
const WITHOUT =
  /^(?:-[qvn]+|--(?:quiet|verbose|progress|no-checkout|single-branch|no-single-branch|no-tags|recursive|recurse-submodules|shallow-submodules|sparse)|--(?:depth|branch|origin|jobs|filter|shallow-since)=.*)$/;

/** The folder of a clone, if every option is known. */
function cloneFolder(texts: readonly string[]): string | undefined {
  const given = texts.filter((text, at) => !WITH_VALUE.test(text) && !WITH_VALUE.test(texts[at - 1] ?? ''));
  const operands = given.filter((text) => !WITHOUT.test(text));
  if (operands.length === 0 || operands.some((text) => text.startsWith('-'))) return undefined;
  return operands[1] ?? folderOf(operands[0]);
}

function folderOf(url: string | undefined): string | undefined {
  return url
    ?.replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/, '')
    .split(/[/:]/)
    .at(-1);
}
