import { matchesTool, type UserRule } from '@signalbox/core';
import type { PathContext } from '../governance/paths/path-location.ts';
import type { Question } from '../governance/question.ts';
import { type Allow, type Ask, type Deny, neediest } from '../governance/rulings.ts';
import { authorizationLists } from './first-match.ts';
import { compileRules } from './compile-rules.ts';
import { admitsCommand } from './rule-matching.ts';
import { indexRules, type RuleIndex } from './rule-index.ts';
import { allowBy, askByHit, askInDoubt, denyBy } from './rule-rulings.ts';
import { type Subject, subjectOf } from './subject.ts';
import type { Hit } from './word-patterns.ts';

/** The user rules of all layers. */
export type RuleSet = {
  /** The strictest matching rule: a deny before an ask; undefined when none matches. */
  holdsBack(question: Question): Deny | Ask | undefined;
  /** The rules that together match every command of the call and would let it run. */
  lifts(question: Question): Allow | undefined;
  /** Each rule's own match, in the order of the files. */
  hits(question: Question): readonly { readonly rule: UserRule; readonly hit: Hit }[];
};

/**
 * @param now epoch ms. Without it a rule with an end counts as expired if it allows, and as active if it holds back.
 */
export function createRuleSet(
  rules: readonly UserRule[],
  pathContext: PathContext,
  now: (() => number) | undefined,
): RuleSet {
  const compiled = compileRules(rules, pathContext, isInForce);
  const strictest = compiled.filter(({ rule }) => rule.list === 'rules');
  const denials = indexRules(strictest.filter(({ rule }) => rule.ruling === 'deny'));
  const asks = indexRules(strictest.filter(({ rule }) => rule.ruling === 'ask' && rule.approvers === 1));
  const quorums = indexRules(strictest.filter(({ rule }) => rule.ruling === 'ask' && rule.approvers > 1));
  const allows = indexRules(strictest.filter(({ rule }) => rule.ruling === 'allow' && rule.isTrusted));
  const lists = authorizationLists(
    compiled.filter(({ rule }) => rule.list === 'authorization'),
    isInForce,
  );
  let last: Subject | undefined;

  function holdsBack(question: Question): Deny | Ask | undefined {
    if (rules.length === 0) return undefined;
    const subject = subjectNow(question);
    let doubtful: Ask | undefined;
    for (const { rule, match } of denials.of(subject)) {
      const hit = isInForce(rule, question) ? match.holds(subject) : 'no';
      if (hit === 'yes') return denyBy(rule, question);
      if (hit === 'maybe') doubtful ??= askInDoubt(rule, subject);
    }
    const rulings = lists.map((ruling) => ruling(subject));
    const denied = rulings.find((ruling) => ruling?.kind === 'deny');
    if (denied?.kind === 'deny') return denied;
    const asking = rulings.filter((ruling) => ruling?.kind === 'ask');
    return neediest([firstAsk(quorums, subject), doubtful, ...asking]) ?? firstAsk(asks, subject);
  }

  function firstAsk(index: RuleIndex, subject: Subject): Ask | undefined {
    for (const { rule, match } of index.of(subject)) {
      const hit = isInForce(rule, subject.question) ? match.holds(subject) : 'no';
      if (hit !== 'no') return askByHit(rule, hit, subject);
    }
    return undefined;
  }

  function lifts(question: Question): Allow | undefined {
    if (rules.length === 0) return undefined;
    const subject = subjectNow(question);
    return (
      liftedBy(subject) ?? lists.map((ruling) => ruling(subject)).find((ruling) => ruling?.kind === 'allow')
    );
  }

  function liftedBy(subject: Subject): Allow | undefined {
    const inForce = allows.of(subject).filter(({ rule }) => isInForce(rule, subject.question));
    const whole = inForce.find(({ match }) => match.admits(subject));
    if (whole !== undefined) return allowBy(whole.rule);
    const line = inForce.length === 0 ? null : subject.commands();
    if (line === null || !line.isPlain) return undefined;
    const each = line.commands.map((command) =>
      inForce.find(({ rule: { match } }) => match.kind === 'program' && admitsCommand(match, command)),
    );
    const [first] = each;
    return first !== undefined && each.every((one) => one !== undefined) ? allowBy(first.rule) : undefined;
  }

  /** A call is judged several times in a row; its line is parsed once. */
  function subjectNow(question: Question): Subject {
    if (last?.question !== question) last = subjectOf(question, pathContext);
    return last;
  }

  function isInForce(rule: UserRule, { mode, context, tool }: Question): boolean {
    if (hasEnded(rule)) return false;
    return (
      (rule.modes === null || rule.modes.includes(mode)) &&
      (rule.providers === null || rule.providers.includes(context.provider)) &&
      (rule.phases === null || rule.phases.includes(context.phase)) &&
      (rule.trust === null || rule.trust.includes(context.trust)) &&
      (rule.tools === null || rule.tools.some((pattern) => matchesTool(pattern, tool.name)))
    );
  }

  function hasEnded({ endsAt, ruling }: UserRule): boolean {
    if (endsAt === null) return false;
    return now === undefined ? ruling === 'allow' : endsAt <= now();
  }

  return {
    holdsBack,
    lifts,
    hits(question) {
      const subject = subjectNow(question);
      return compiled.map(({ rule, match }) => {
        if (!rule.isTrusted || !isInForce(rule, question)) return { rule, hit: 'no' };
        if (rule.ruling !== 'allow') return { rule, hit: match.holds(subject) };
        return { rule, hit: match.admits(subject) ? 'yes' : 'no' };
      });
    },
  };
}
