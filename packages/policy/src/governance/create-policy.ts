import {
  type Access,
  type AgreedHosts,
  canonicalJson,
  type Clock,
  type CounterTake,
  type Ruling,
  type Settings,
  type Tool,
  type UserRule,
} from '@signalbox/core';
import { createRuleSet, type RuleSet } from '../rules/rule-set.ts';
import { approvalOf } from './approval-rules.ts';
import { limitsOf, ratesOf } from './limits.ts';
import { checkMode, isOffered } from './mode-gate.ts';
import { createPathGate } from './path-gate.ts';
import type { PathContext } from './path-location.ts';
import type { Question } from './question.ts';
import { createReadView, type ReadDenials } from './read-view.ts';
import type { Ask, Deny } from './rulings.ts';
import { checkSizes, type SizeLimit, sizeLimitOf } from './size-gate.ts';
import { stableHash } from './stable-hash.ts';
import { toolPolicyOf } from './tool-settings.ts';
import { checkVerdict } from './verdict-gate.ts';

/** Governance of one workspace: pure, the same answer for the same question. */
export type Policy = {
  /** Tells policies apart; an approval given under another version does not count. */
  readonly version: string;
  /** Versions that this one took the place of while it was in use, newest first. */
  readonly earlier: readonly string[];
  /** All of it together, in the order of X-06, without what is counted: the strictest wins. */
  rule(question: Question): Ruling;
  /** What the call must still take from the counters, in this order: rates, then the session's quota (Q1–Q3, V4). */
  limits(question: Question): readonly CounterTake[];
  /** The part of them that goes by what a call changes: what a transaction wrote unsaid counts as said. */
  rates(question: Question): readonly CounterTake[];
  /** The longest file that the tool may read or write; null where settings say nothing. */
  sizeLimit(tool: Pick<Tool, 'name' | 'aliases'>, access: Access): SizeLimit | null;
  /** Milliseconds a call of the tool may take when it asks for no time of its own. */
  timeoutOf(tool: Pick<Tool, 'name' | 'aliases' | 'timeoutMs'>): number;
  /** Hosts that lines may reach without a question: those that the gate lets such a line out to. */
  readonly agreedHosts: AgreedHosts;
  /** What the sandbox and the file tools keep from everybody: protected paths and `tools.file.deny_read`. */
  readonly isDenied: {
    (path: string, access: Access): boolean;
    /** What it goes by now, for who remembers its answers: another value once the policy has changed. */
    readonly basis?: () => unknown;
  };
  /** What alone may be read, by programs too; null where no list says so. */
  readonly readView: ReadDenials | null;
  /** Whether a provider is offered the tool in that mode. */
  isOffered(tool: Parameters<typeof isOffered>[0], circumstances: Parameters<typeof isOffered>[1]): boolean;
  /** The gates one by one, for who explains a ruling. */
  checkMode(question: Question): Deny | Ask | undefined;
  checkVerdict(question: Question): Deny | undefined;
  checkPaths(question: Question): Deny | Ask | undefined;
  checkSizes(question: Question): Deny | undefined;
  /** What approval would say if no gate and no person's rule had spoken. */
  checkApproval(question: Question): Ruling;
  /** The rules of people, apart from the built-in ones. */
  readonly rules: RuleSet;
  /** The same with more rules, such as those of one session; its version stays. */
  with(more: readonly UserRule[]): Policy;
};

/** Grows with every change of what the built-in rules decide, so that older approvals lapse. */
const RULES_VERSION = 4;

/**
 * @param pathContext the workspace, absolute; the home directory for `$HOME` and `~` in path lists.
 * @param clock tells rules with an end when they have ended. Without one those that allow never count.
 */
export function createPolicy(
  settings: Settings,
  pathContext: PathContext,
  clock?: Pick<Clock, 'now'>,
): Policy {
  const paths = createPathGate(settings, pathContext);
  const rules = createRuleSet(settings.rules, pathContext, clock?.now);

  function rule(question: Question): Ruling {
    if (settings.policy.mode === 'enforce') return judge(question, rules);
    return inShadow(judge(question, NO_RULES), judge(question, rules));
  }

  function judge(question: Question, of: Pick<RuleSet, 'holdsBack' | 'lifts'>): Ruling {
    const verdict = checkVerdict(question, settings);
    if (verdict?.outcome === 'blocked') return verdict;
    const mode = checkMode(question, settings);
    if (mode?.kind === 'deny') return mode;
    if (verdict !== undefined) return verdict;
    const path = paths.check(question);
    if (path?.kind === 'deny') return path;
    const size = checkSizes(question, settings);
    if (size !== undefined) return size;
    const own = of.holdsBack(question);
    if (own?.kind === 'deny') return own;
    const gates = [mode, path, own].filter((gate) => gate !== undefined);
    return approvalOf(question, settings, { gates, lifts: of.lifts });
  }

  const version = versionOf(settings, pathContext);
  return {
    version,
    earlier: [],
    rule,
    limits: (question) => limitsOf(question, settings),
    rates: (question) => ratesOf(question, settings),
    sizeLimit: (tool, access) => sizeLimitOf(tool, access, settings),
    timeoutOf: (tool) => toolPolicyOf(tool, settings).timeout ?? tool.timeoutMs,
    agreedHosts: settings.sandbox.network.agreed,
    isDenied: paths.isDenied,
    readView: createReadView(settings, pathContext),
    isOffered: (tool, circumstances) => isOffered(tool, circumstances, settings),
    checkMode: (question) => checkMode(question, settings),
    checkVerdict: (question) => checkVerdict(question, settings),
    checkPaths: paths.check,
    checkSizes: (question) => checkSizes(question, settings),
    checkApproval: (question) => approvalOf(question, settings, { gates: [], lifts: () => undefined }),
    rules,
    with: (more) => ({
      ...createPolicy({ ...settings, rules: [...settings.rules, ...more] }, pathContext, clock),
      version,
    }),
  };
}

const NO_RULES: Pick<RuleSet, 'holdsBack' | 'lifts'> = {
  holdsBack: () => undefined,
  lifts: () => undefined,
};

/** The ruling that counts, with a word on what a rule would have made of it. */
function inShadow(enforced: Ruling, would: Ruling): Ruling {
  const [is, wouldBe] = [enforced, would].map(verbOf);
  if (is === wouldBe) return enforced;
  const reported = `in shadow: rule "${would.rule}" (${would.source}) would ${wouldBe}`;
  return { ...enforced, reason: `${enforced.reason}; ${reported}` };
}

function verbOf(ruling: Ruling): string {
  return ruling.kind === 'ask' && ruling.approvers > 1 ? `ask ${ruling.approvers} people` : ruling.kind;
}

/** Only what decides: another model or price changes no approval. */
function versionOf(settings: Settings, pathContext: PathContext): string {
  const { approval, agents, policy, sandbox, shell_composition, tools } = settings;
  // A line more above a rule is no other rule.
  const rules = settings.rules.map(({ source: _source, at: _at, ...rule }) => rule);
  return stableHash(
    canonicalJson({
      RULES_VERSION,
      pathContext,
      approval,
      agents,
      policy,
      sandbox,
      shell_composition,
      tools,
      rules,
    }),
  );
}
