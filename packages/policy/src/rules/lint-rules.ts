import { canonicalJson, matchesTool, type Settings, type UserRule } from '@signalbox/core';
import { createPolicy } from '../governance/create-policy.ts';
import { exampleQuestion } from './example-question.ts';

/** A problem of a rule that is legal and probably not intended. */
export type RuleWarning = {
  readonly kind: 'ended' | 'unknown-tool' | 'contradicts' | 'shadowed' | 'dead' | 'untried' | 'untrusted';
  readonly rule: string;
  readonly source: string;
  /** In plain words, no full stop. */
  readonly message: string;
};

const PATH_CONTEXT = { workspace: '/workspace', home: '/home/you' };

/**
 * Checks user rules together: by their examples it finds those that never decide, because a stricter or a built-in rule
 * does; then those that end, contradict one another, or name a tool that does not exist.
 *
 * @param circumstances `tools`: the names of all tools; `now`: epoch ms.
 */
export function lintRules(
  settings: Settings,
  circumstances: { readonly tools: readonly string[]; readonly now: number },
): readonly RuleWarning[] {
  const { tools, now } = circumstances;
  const clock = { now: () => now };
  const trusting = settings.rules.map((rule) => ({ ...rule, isTrusted: true }));
  const policy = createPolicy(
    { ...settings, policy: { mode: 'enforce' }, rules: trusting },
    PATH_CONTEXT,
    clock,
  );
  return withContradictions(settings.rules).flatMap(({ rule, contradicts }) => [
    ...ended(rule, now),
    ...unknownTools(rule, tools),
    ...contradicts,
    ...(rule.endsAt !== null && rule.endsAt <= now ? [] : idle(rule)),
    ...(rule.isTrusted
      ? []
      : [warn('untrusted', 'has no effect until you run: signalbox rules trust', rule)]),
  ]);

  function idle(rule: UserRule): readonly RuleWarning[] {
    const examples = [...rule.examples.match, ...rule.examples[rule.ruling]];
    const rulings = examples.map((text) => policy.rule(exampleQuestion(text, rule, PATH_CONTEXT)));
    const [first] = rulings;
    if (first === undefined) return [warn('untried', `has no example of a match, so it is untested`, rule)];
    if (rulings.some((ruling) => ruling.rule === rule.id && ruling.source === rule.source)) return [];
    return first.source === 'built in'
      ? [
          warn(
            'dead',
            `never decides: its examples are decided by the built-in rule "${first.rule}" (${first.kind})`,
            rule,
          ),
        ]
      : [
          warn(
            'shadowed',
            `never decides: rule "${first.rule}" (${first.source}) decides its examples (${first.kind})`,
            rule,
          ),
        ];
  }
}

function ended(rule: UserRule, now: number): readonly RuleWarning[] {
  if (rule.endsAt === null || rule.endsAt > now) return [];
  return [
    warn('ended', `expired on ${new Date(rule.endsAt).toISOString().slice(0, 10)} and has no effect`, rule),
  ];
}

function unknownTools(rule: UserRule, tools: readonly string[]): readonly RuleWarning[] {
  const named = [
    ...(rule.tools ?? []),
    ...(rule.match.kind === 'files' && rule.match.tool !== null ? [rule.match.tool] : []),
  ];
  return named
    .filter((pattern) => !tools.some((name) => matchesTool(pattern, name)))
    .map((pattern) => warn('unknown-tool', `names tool "${pattern}", which does not exist`, rule));
}

/** Each rule, with the next one of each other ruling that matches the same calls. */
function withContradictions(
  rules: readonly UserRule[],
): readonly { readonly rule: UserRule; readonly contradicts: readonly RuleWarning[] }[] {
  const nextOf = new Map<string, Map<UserRule['ruling'], UserRule>>();
  const fromLast = rules.toReversed().map((rule) => {
    const scope = scopeOf(rule);
    const next = nextOf.get(scope) ?? new Map<UserRule['ruling'], UserRule>();
    nextOf.set(scope, next);
    const others = [...next.values()].toReversed().filter(({ ruling }) => ruling !== rule.ruling);
    next.delete(rule.ruling);
    next.set(rule.ruling, rule);
    const contradicts = others.map(({ id, source, ruling }) =>
      warn('contradicts', `says ${rule.ruling} where rule "${id}" (${source}) says ${ruling}`, rule),
    );
    return { rule, contradicts };
  });
  return fromLast.toReversed();
}

/** What a rule matches, and when. */
function scopeOf({ match, modes, providers, tools, phases, trust }: UserRule): string {
  return canonicalJson({ match, modes, providers, tools, phases, trust });
}

function warn(kind: RuleWarning['kind'], message: string, { id, source }: UserRule): RuleWarning {
  return { kind, rule: id, source, message };
}
