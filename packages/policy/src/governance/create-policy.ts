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
import { checkMode, offerObstacle, type OfferObstacle } from './mode-gate.ts';
import { createPathGate } from './path-gate.ts';
import type { PathContext } from './paths/path-location.ts';
import type { Question } from './question.ts';
import { createReadView, type ReadDenials } from './paths/read-view.ts';
import type { Ask, Deny } from './rulings.ts';
import { checkSizes, type SizeLimit, sizeLimitOf } from './size-gate.ts';
import { toolPolicyOf } from './tool-settings.ts';
import { checkVerdict } from './verdict-gate.ts';

/** Governance of one workspace: pure, the same answer for the same question. */
export type Policy = {
  /** Identifies the policy; an approval given under another version does not count. */
  readonly version: string;
  /** Versions that this one replaced while it was in use, newest first. */
  readonly earlier: readonly string[];
  /** The ruling of all rules together, in the order of X-06, without counters: the strictest wins. */
  rule(question: Question): Ruling;
  /** The counters that the call must still take from, in this order: rates, then the session's quota (Q1–Q3, V4). */
  limits(question: Question): readonly CounterTake[];
  /**
   * The part of them that depends on a call's changes: unannounced writes of a transaction count like announced ones.
   */
  rates(question: Question): readonly CounterTake[];
  /** The longest file that the tool may read or write; null when settings set no limit. */
  sizeLimit(tool: Pick<Tool, 'name' | 'aliases'>, access: Access): SizeLimit | null;
  /** Timeout in milliseconds of a call that requests none. */
  timeoutOf(tool: Pick<Tool, 'name' | 'aliases' | 'timeoutMs'>): number;
  /** Hosts that lines may reach without approval; the gate restricts such a line to them. */
  readonly agreedHosts: AgreedHosts;
  /** What the sandbox and the file tools hide from everybody: protected paths and `tools.file.deny_read`. */
  readonly isDenied: {
    (path: string, access: Access): boolean;
    /** Identity of its present inputs, for callers that cache answers: another value after a change of the policy. */
    readonly basis?: () => unknown;
  };
  /** The only paths that may be read, by programs too; null without such a list. */
  readonly readView: ReadDenials | null;
  /** Why a provider is not offered the tool in that mode; null if it may be. */
  offerObstacle(
    tool: Parameters<typeof offerObstacle>[0],
    circumstances: Parameters<typeof offerObstacle>[1],
  ): OfferObstacle | null;
  /** The individual gates, for the explanation of a ruling. */
  checkMode(question: Question): Deny | Ask | undefined;
  checkVerdict(question: Question): Deny | undefined;
  checkPaths(question: Question): Deny | Ask | undefined;
  checkSizes(question: Question): Deny | undefined;
  /** The approval rules' answer, ignoring gates and user rules. */
  checkApproval(question: Question): Ruling;
  /** The user rules, apart from the built-in ones. */
  readonly rules: RuleSet;
  /** The same with more rules, such as those of one session; its version stays. */
  with(more: readonly UserRule[]): Policy;
};

/** Incremented with every change of the built-in rules' decisions, so that older approvals lapse. */
const RULES_VERSION = 4;

/**
 * @param pathContext the workspace, absolute; the home directory for `$HOME` and `~` in path lists.
 * @param clock decides whether rules with an end have expired. Without it those that allow never apply.
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
    offerObstacle: (tool, circumstances) => offerObstacle(tool, circumstances, settings),
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

/** The ruling in effect, with a note on what a rule would have decided. */
function inShadow(enforced: Ruling, would: Ruling): Ruling {
  const [is, wouldBe] = [enforced, would].map(verbOf);
  if (is === wouldBe) return enforced;
  const reported = `in shadow: rule "${would.rule}" (${would.source}) would ${wouldBe}`;
  return { ...enforced, reason: `${enforced.reason}; ${reported}` };
}

function verbOf(ruling: Ruling): string {
  return ruling.kind === 'ask' && ruling.approvers > 1 ? `ask ${ruling.approvers} people` : ruling.kind;
}

/** Only deciding inputs: another model or price invalidates no approval. */
function versionOf(settings: Settings, pathContext: PathContext): string {
  const { approval, agents, policy, sandbox, shell_composition, tools } = settings;
  // Another line above a rule does not change it.
  const rules = settings.rules.map(({ source: _source, at: _at, ...rule }) => rule);
  return stableHash(
    canonicalJson({
      RULES_VERSION,
      // The name by which earlier versions hashed it: waiting calls are bound to the hash.
      ground: pathContext,
      approval,
      agents: { tool_execution: sessionKeysOf(agents.tool_execution) },
      policy,
      sandbox,
      shell_composition,
      tools: { ...tools, ...gateKeysOf(tools) },
      rules,
    }),
  );
}

/** Waiting calls are bound to a hash with these keys: what follows a failure decides nothing about them. */
function sessionKeysOf({
  enabled,
  max_iterations,
  auto_approve_tools,
  require_approval_tools,
}: Settings['agents']['tool_execution']) {
  return { enabled, max_iterations, auto_approve_tools, require_approval_tools };
}

/** Gates come after the ruling. Waiting calls are bound to a hash with these of their keys, and none that came later. */
function gateKeysOf({ utility, adversarial_policy: adversarial }: Settings['tools']) {
  return {
    utility: { enabled: utility.enabled, threshold: utility.threshold, exempt_tools: utility.exempt_tools },
    adversarial_policy: {
      enabled: adversarial.enabled,
      fail_open: adversarial.fail_open,
      policies: adversarial.policies,
      exempt_tools: adversarial.exempt_tools,
    },
  };
}

/**
 * A short name for a text: 53 bits (cyrb53), hex. Not for security: it distinguishes versions of a policy, and binding
 * an approval to a call hashes this version again with SHA-256.
 */
function stableHash(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(16).padStart(14, '0');
}
