import type { Context } from '../../runtime/contract/context.ts';
import { canAsk } from '../../live/ask-yes.ts';
import { agreeView } from './network-view.ts';
import type { Wanted } from '../../runtime/rules/proposals.ts';

/** Shows the hosts, and asks the person; `null` where nobody can be asked. An empty answer is the one proposed: yes. */
export async function asksToAgree(wanted: Wanted, context: Context): Promise<boolean | null> {
  context.tell(agreeView(wanted));
  if (!canAsk(context)) return null;
  const answer = await context.askLine('Agree to these hosts? [Y/n] ', new AbortController().signal);
  return answer !== null && /^(?:y(?:es)?)?$/i.test(answer.trim());
}
