import type { Span } from '@signalbox/core';
import { hasOption } from '../../options.ts';
import { judgeHiddenText } from '../../hidden-text.ts';
import { touchHanded } from '../../paths/named-secrets.ts';
import { absolutePath, locate } from '../../paths/paths.ts';
import {
  definePrograms,
  type Invocation,
  type Rule,
  type EvaluationContext,
  WRITES_UNKNOWN,
} from '../../program.ts';
import { beginningOf, textOf, type Word } from '../../word.ts';
import { TAKES_WORK } from '../../report/reason-codes.ts';
import { gitCheckouts } from './git-checkouts.ts';
import { gitExports } from './git-exports.ts';
import { gitMaintenance } from './git-maintenance.ts';
import { gitReads } from './git-reads.ts';
import { gitRefs } from './git-refs.ts';
import { gitRemotes } from './git-remotes.ts';
import { gitWorktrees } from './git-worktrees.ts';
import { gitWrites } from './git-writes.ts';

/** Settings on the command line that change no program that git starts. */
const HARMLESS_SETTING =
  /^(?:color\..*|advice\..*|user\.(?:name|email)|author\..*|committer\..*|core\.(?:quotepath|autocrlf|eol|safecrlf|abbrev|commentchar|ignorecase|precomposeunicode|longpaths)|diff\.(?:renames|renamelimit|algorithm|noprefix|mnemonicprefix|context|colormoved)|log\.(?:date|decorate|showsignature)|status\..*|column\..*|init\.defaultbranch|commit\.gpgsign|tag\.gpgsign|merge\.(?:conflictstyle|ff)|pull\.(?:rebase|ff)|push\.default|fetch\.(?:prune|parallel)|gc\.auto|rerere\.enabled|blame\..*|grep\..*|pretty\..*|(?:rebase|merge)\.autostash|rebase\.autosquash)(?:=|$)|^core\.(?:pager=(?:cat)?|fsmonitor=false|editor=(?:true|:|cat)|hookspath=\/dev\/null)$/i;

export const git = definePrograms({
  names: ['git'],
  options:
    '-C:list -c: -pPh -v --exec-path? --html-path --man-path --info-path --paginate --no-pager --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --bare --git-dir=list --work-tree=list --namespace= --super-prefix= --config-env= --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --list-cmds= --attr-source= --version --help',
  judge: judgeGlobals,
  verbs: {
    ...Object.fromEntries(Object.entries(gitReads).map(([names, rule]) => [names, judgedWhere(rule)])),
    ...gitRefs,
    ...gitWorktrees,
    ...gitCheckouts,
    ...gitWrites,
    ...gitRemotes,
    ...gitExports,
    ...gitMaintenance,
  },
  otherVerb: {
    level: 'warning',
    code: 'unknown-command',
    text: 'runs an unknown git subcommand or an alias',
    effects: [WRITES_UNKNOWN],
    unknownOptions: 'any',
  } satisfies Rule,
  examples: {
    safe: [
      'git --no-pager log',
      'git -C . status',
      'git -C sub ls-files',
      'git -c color.ui=never diff',
      'git',
    ],
    warning: [
      'git -C sub status',
      'git frobnicate',
      'git --git-dir=x status',
      'git -c foo.bar=1 status',
      'git -C ../x log',
    ],
    dangerous: [
      "git -c alias.x='!id' x",
      "git -c core.editor='id>x' commit",
      'git -C sub reset --hard',
      'git -C .. commit -m x',
      'git -c core.pager=./x log',
      'git $verb',
      'git --exec-path=. status',
      'git -c core.fsmonitor=./x status',
      'git -c blame.ignoreRevsFile=.env blame a',
    ],
    blocked: ["git -c alias.x='!sudo id' x"],
  },
});

function judgeGlobals({ options, context, span }: Invocation): void {
  const { report, state } = context;
  for (const { name, value } of options.given) {
    if (name === '-C' && value !== undefined) {
      const text = textOf(value);
      const { cwd } = state;
      state.cwd = text === undefined || cwd === undefined ? undefined : absolutePath(text, cwd);
    }
    if (name === '-c' && value !== undefined) judgeSetting(value, context);
    if (name === '--config-env')
      report.raise('dangerous', 'git-setting', { text: 'reads a git setting from the environment', span });
  }
  if (options.given.some(({ name, value }) => name === '--exec-path' && value !== undefined)) {
    report.raise('dangerous', 'git-setting', { text: 'runs git from another folder', span });
    report.effect(WRITES_UNKNOWN);
  }
  if (hasOption(options, '--git-dir', '--work-tree')) {
    report.raise('warning', 'git-setting', { text: 'uses another repository, with its own settings', span });
    report.effect(WRITES_UNKNOWN);
  }
  judgePath(context, span);
}

/** Reads that start nothing under any repository settings: their options are harmless, too. */
function judgedWhere(rule: Rule): Rule {
  if (rule.anyOption === 'harmless') return rule;
  return {
    ...rule,
    judge: (invocation) => {
      const { state, lineContext, report } = invocation.context;
      const here = locate('.', state.cwd, lineContext);
      if (here?.place !== 'inside' || here.path !== '.')
        report.raise('warning', 'git-setting', {
          text: `may use a repository in this folder, with its own settings: ${here?.path ?? '…'}`,
          span: invocation.span,
        });
      rule.judge?.(invocation);
    },
  };
}

/** Git elsewhere reads another repository, with the settings of that one. */
function judgePath({ report, state, lineContext }: EvaluationContext, span: Span): void {
  const here = locate('.', state.cwd, lineContext);
  if (here?.place !== 'outside') return;
  report.effect({ kind: 'read', path: here.path, scope: 'tree' });
  report.raise('warning', 'git-setting', {
    text: `uses a repository outside the workspace: ${here.path}`,
    span,
  });
}

function judgeSetting(value: Word, context: Invocation['context']): void {
  const text = textOf(value) ?? '';
  touchHanded([value], context);
  if (/^(?:rebase|merge)\.autostash(?:=(?:true|yes|on|1))?$/i.test(text))
    context.report.raise('warning', TAKES_WORK, {
      text: 'moves all uncommitted work in the workspace into the stash and back',
      span: value.span,
    });
  if (HARMLESS_SETTING.test(text)) return;
  context.report.effect(WRITES_UNKNOWN);
  judgeHiddenText(text.replace(/^[^=]*=/, ''), value.span, { context });
  const alias = /^alias\.[^=]*=!(.*)$/is.exec(text)?.[1];
  if (alias !== undefined) context.walk.runText(alias, value.span, context);
  const code =
    textOf(value) === undefined ||
    /^(?:alias|core|diff|merge|filter|credential|gpg|pager|include|includeif|sequence|ssh|url|protocol|remote|submodule|uploadpack|receive|interactive|difftool|mergetool|browser|man|web|trailer|sendemail|http|safe|hook|maintenance|extensions|difftool|guitool|instaweb|notes|log|init|bisect|rebase|commit|clone)\./i.test(
      beginningOf(value),
    );
  context.report.raise(code ? 'dangerous' : 'warning', 'git-setting', {
    text: `sets ${text.replace(/=.*$/s, '')} for git`,
    span: value.span,
  });
}
