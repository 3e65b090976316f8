import type { Allow, Ask, Deny } from '../governance/rulings.ts';
import type { CompiledRule } from './rule-index.ts';
import { allowBy, askByHit, askInDoubt, denyBy } from './rule-rulings.ts';
import type { Subject } from './subject.ts';

/** Ruling of a list of `tools.authorization`, by its first matching rule (D6, S001-128). */
export type ListRuling = (subject: Subject) => Deny | Ask | Allow | undefined;

/**
 * The lists of all files, each by itself: the order of rules counts within a file, and between files the strictest
 * wins. A deny that may match asks, and nothing after it counts.
 */
export function authorizationLists(
  rules: readonly CompiledRule[],
  isInForce: (rule: CompiledRule['rule'], question: Subject['question']) => boolean,
): readonly ListRuling[] {
  const files = [...new Set(rules.map(({ rule }) => rule.file))];
  return files.map((file) => {
    const list = rules.filter(({ rule }) => rule.file === file);
    return (subject) => {
      for (const compiled of list) {
        const ruling = isInForce(compiled.rule, subject.question) ? rulingOf(compiled, subject) : undefined;
        if (ruling !== undefined) return ruling;
      }
      return undefined;
    };
  });
}

function rulingOf({ rule, match }: CompiledRule, subject: Subject): Deny | Ask | Allow | undefined {
  if (rule.ruling === 'allow') return rule.isTrusted && match.admits(subject) ? allowBy(rule) : undefined;
  const hit = match.holds(subject);
  if (hit === 'no') return undefined;
  if (rule.ruling === 'ask') return askByHit(rule, hit, subject);
  return hit === 'yes' ? denyBy(rule, subject.question) : askInDoubt(rule, subject);
}
