import type { Coordinator } from '@signalbox/coordinator';
import { shortId } from '@signalbox/core';
import type { RuleDesk } from '@signalbox/server';
import { createRuleDesk, type RuleContext, type WrittenRule } from '../run/rule-desk.ts';

/** Rules that people make in a browser: the same as at a terminal, in the name of who made them. */
export function serverRules(
  context: RuleContext,
  coordinator: Coordinator,
  adopt: () => Promise<void>,
): RuleDesk {
  const desk = createRuleDesk({
    context,
    sessionRules: coordinator.sessionRules,
    mode: async () => (await coordinator.mode()).mode,
    adopt,
  });
  return {
    async propose(record, by) {
      const proposal = await desk.propose(record);
      if (proposal.kind === 'never') return proposal;
      return {
        kind: 'rule',
        rule: { ...proposal.rule, because: `${shortId(record.id)}, approved by ${by}` },
      };
    },
    // What a person at a terminal types is YAML, and JSON is that too.
    check: (record, rule) => desk.check(record, JSON.stringify(rule)),
    store: (record, rule, scope) => desk.store(record, { rule: rule as WrittenRule, scope }),
  };
}
