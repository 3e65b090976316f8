import type { RuleSuggestion } from '@signalbox/coordinator';
import { ProviderId } from '@signalbox/core';
import { canAsk } from '../../live/ask-yes.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { createProjectHosts } from '../../runtime/workspace/project-hosts-of.ts';
import { newHosts, proposalsOf } from '../../runtime/rules/proposals.ts';
import { createQuestions } from '../../runtime/rules/questions.ts';
import { as, line, muted } from '../../terminal/line.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';

/** The command that would have avoided those approvals. */
function remedyCommand(remedy: RuleSuggestion): string {
  return remedy.kind === 'network'
    ? `signalbox network allow ${remedy.profile}`
    : `signalbox rules add -- '${remedy.line.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Says how many approvals one change would have avoided, and makes it after a yes at a terminal. Does nothing if it was
 * made since.
 */
export async function offerRemedy(remedy: RuleSuggestion, context: Context): Promise<void> {
  if (await wasGivenSince(remedy, context)) return;
  const example = remedy.kind === 'network' ? remedy.example : remedy.line;
  const counted = `${remedy.saves} of ${remedy.asked} approval requests were like "${example}"`;
  if (!canAsk(context) || context.flags.json) {
    context.say([line(`${counted}: `, as('accent', remedyCommand(remedy)))]);
    return;
  }
  context.tell([line(counted, muted(` · ${remedyCommand(remedy)}`))]);
  if (remedy.kind === 'network') {
    const { network } = await import('../rules/network.ts');
    await network.run({ action: 'allow', what: [remedy.profile] }, context);
    return;
  }
  const { askYes } = await import('../../live/ask-yes.ts');
  if (!(await askYes('Add a rule that allows exactly this line?', context))) return;
  const { addRule } = await import('../rules/add-rule.ts');
  await addRule({ line: remedy.line, ruling: 'allow', endsInMs: undefined, file: 'local' }, context);
}

async function wasGivenSince(remedy: RuleSuggestion, context: Context): Promise<boolean> {
  const { settings } = await loadSettings(context);
  if (remedy.kind === 'network') {
    const proposals = proposalsOf(createProjectHosts(context.directory)(), settings.sandbox.network.agreed);
    const proposal = proposals.find(({ profile }) => profile === remedy.profile);
    return proposal === undefined || newHosts(proposal).length === 0;
  }
  const questions = createQuestions(context, settings);
  const question = questions.ofLine(remedy.line, {
    provider: ProviderId.parse('you'),
    mode: 'NORMAL',
    cwd: '.',
  });
  return questions.policyOf(settings).rule(question).kind !== 'ask';
}
