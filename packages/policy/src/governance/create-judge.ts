import {
  CallContext,
  type Clock,
  formatPath,
  isUnknownKey,
  type Mode,
  parseSettings,
  ProviderId,
  type Ruling,
  type Settings,
  type SettingsProblem,
  requireKnownOptions,
  UsageError,
  type UserRule,
  type Verdict,
} from '@signalbox/core';
import type * as z from 'zod';
import { checkRules } from '../rules/check-examples.ts';
import { placeholderTool } from '../rules/placeholder-tool.ts';
import { classifyLine } from '../shell/classify-line.ts';
import { createPolicy } from './create-policy.ts';

export type JudgeOptions = {
  /** Rules as under `rules:` in `signalbox.yaml`, at most 2,000. Default none: the built-in rules alone. */
  readonly rules?: readonly z.input<typeof UserRule>[];
  /** Default `NORMAL`. `LOCKDOWN` denies every line. */
  readonly mode?: Mode;
  /** Absolute path that bounds reads and writes. It need not exist: nothing is read. Default `/workspace`. */
  readonly workspace?: string;
  /** Absolute home of the user that lines run as, for `~` and `$HOME`. Default: unknown, and outside the workspace. */
  readonly home?: string;
  /** Who sends the lines, for rules with `providers`. Default `you`, a person at the terminal. */
  readonly provider?: string;
  /** Whether allowed lines run confined, as by `@signalbox/sandbox`. False: no line runs without approval. Default true. */
  readonly sandboxed?: boolean;
  /** Ends rules that have `expires`. Default none: an `allow` that expires never applies, others never end. */
  readonly clock?: Pick<Clock, 'now'>;
};

export type LineJudgement = {
  /** `kind` is allow, ask or deny; `rule`, `source` and `reason` say which rule decided, and why. */
  readonly ruling: Ruling;
  /** The classifier's `level`, with `reasons` that point into the line, and `effects`: what the line would touch. */
  readonly verdict: Verdict;
};

export type Judge = {
  /**
   * Judges a shell line (GNU Bash). Never throws.
   *
   * @param cwd Directory the line starts in, absolute or relative to the workspace. Default: the workspace.
   */
  judge(line: string, cwd?: string): LineJudgement;
};

/**
 * Judges shell lines by rules and a mode, with default settings for everything else. Pure: nothing is run, and no file is
 * read, so symbolic links are not followed.
 *
 * Answers as `createPolicy` does for a call of `bash` whose changes can't be undone. Lines over 16 KiB and those too
 * complex to analyse (see {@link classifyLine}) are `dangerous`, which is never allowed without approval. All
 * patterns together take at most 16 million steps a line (characters × size of the patterns); those beyond are not tried
 * and count as a possible match, so the line needs approval.
 *
 * @throws {UsageError} `invalid-config` for an invalid mode, rule or pattern and for a rule's example that fails, with one
 * problem a line in `why`; `workspace` for a relative path; `unknown-provider` for a provider that can't be a name;
 * `invalid-arguments` for an option that does not exist
 */
export function createJudge(options: JudgeOptions = {}): Judge {
  requireKnownOptions('createJudge', options, JUDGE_OPTIONS);
  const {
    rules = [],
    mode = 'NORMAL',
    workspace = '/workspace',
    home,
    provider = 'you',
    sandboxed = true,
    clock,
  } = options;
  if (!workspace.startsWith('/')) {
    throw new UsageError('workspace', `Cannot judge lines in "${workspace}": it is not an absolute path`);
  }
  if (!ProviderId.safeParse(provider).success) {
    throw new UsageError(
      'unknown-provider',
      `Cannot judge lines of "${provider}": it is not a provider name`,
    );
  }
  const policy = createPolicy(checkedSettings({ mode, rules }), { workspace, home }, clock);
  const context = CallContext.parse({ sessionId: 'ses_abcdefghjkmn', provider });
  const tool = placeholderTool('bash', true);
  return {
    judge(line, cwd = workspace) {
      const verdict = classifyLine(line, { cwd, workspace, ...(home === undefined ? {} : { home }) });
      const ruling = policy.rule({ tool, line, verdict, mode, context, sandboxed, contentBytes: 0 });
      return { ruling, verdict };
    },
  };
}

const JUDGE_OPTIONS: Readonly<Record<keyof JudgeOptions, true>> = {
  rules: true,
  mode: true,
  workspace: true,
  home: true,
  provider: true,
  sandboxed: true,
  clock: true,
};

function checkedSettings(given: Pick<JudgeOptions, 'mode' | 'rules'>): Settings {
  const parsed = parseSettings(given);
  if (parsed.kind === 'invalid') throw refused(parsed.problems);
  const problems = checkRules(parsed.settings.rules);
  if (problems.length > 0) throw refused(problems);
  return parsed.settings;
}

function refused(problems: readonly SettingsProblem[]): UsageError {
  const why = problems.map((problem) => {
    const { path, message, didYouMean } = problem;
    const said = isUnknownKey(problem)
      ? `${formatPath(path.slice(0, -1))}: ${message}`
      : `${formatPath(path)} ${message}`;
    return didYouMean === undefined ? said : `${said}; did you mean "${didYouMean}"?`;
  });
  return new UsageError('invalid-config', `Cannot use these rules: ${why[0]}`, { why });
}
