import type { Coordinator } from '@signalbox/coordinator';
import { shortId } from '@signalbox/core';
import type { ServedRules } from '@signalbox/server';
import { openRulesFile, ruleAsWritten } from '../../runtime/rules/rules-file.ts';
import { storeRule } from '../../runtime/rules/store-rule.ts';
import { readAgreement } from '../../runtime/rules/agreement.ts';
import { isAgreement } from '../../live/remember-prompt.ts';
import { type RuleText } from '../../runtime/rules/rule-draft.ts';
import { createRuleService, type RuleContext } from '../../runtime/rules/rule-service.ts';
import { readTypedRule } from './typed-rule.ts';

const ELSEWHERE = 'hosts are allowed in your own file: choose "only you, this workspace"';

/** Rules made in a browser: the same as at a terminal, in the name of the user. */
export function serverRules(
  context: RuleContext,
  coordinator: Coordinator,
  applyPolicy: () => Promise<void>,
): ServedRules {
  const service = createRuleService({
    context,
    sessionRules: coordinator.sessionRules,
    mode: async () => (await coordinator.mode()).mode,
    applyPolicy,
  });
  return {
    async propose(record, by) {
      const proposal = await service.propose(record);
      if (proposal.kind === 'never') return proposal;
      if (isAgreement(proposal.rule)) return { ...proposal, text: ruleAsWritten(proposal.rule) };
      const rule = { ...proposal.rule, because: `${shortId(record.id)}, approved by ${by}` };
      return { kind: 'rule', rule, text: ruleAsWritten(rule) };
    },
    async check(record, typed, { scope } = {}) {
      const agreement = readAgreement(typed);
      const read = agreement === null ? readTypedRule(typed) : { kind: 'fits' as const, rule: agreement };
      if (read.kind === 'unfit') return read;
      if (agreement !== null && scope !== undefined && scope !== 'local')
        return { kind: 'unfit', why: ELSEWHERE };
      const checked = await service.check(record, JSON.stringify(read.rule));
      return checked.kind === 'unfit' ? checked : { ...checked, text: ruleAsWritten(checked.rule) };
    },
    store: (record, rule, { scope }) => service.store(record, { rule: rule as RuleText, scope }),
    read(typed) {
      const read = readTypedRule(typed);
      return read.kind === 'unfit' ? read : { ...read, text: ruleAsWritten(read.rule) };
    },
    async add(rule, file) {
      const stored = await storeRule(rule as RuleText, file, context);
      await applyPolicy();
      return { id: stored.rule.id, where: stored.file, counts: stored.counts };
    },
    async remove(id, file) {
      const isGone = await (await openRulesFile(file, context)).remove(id);
      if (isGone) await applyPolicy();
      return isGone;
    },
  };
}
