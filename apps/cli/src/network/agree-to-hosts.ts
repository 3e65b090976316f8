import type { Context } from '../frame/context.ts';
import { canAsk } from '../frame/ask-yes.ts';
import { agreeView } from '../views/network-view.ts';
import type { Wanted } from './proposals.ts';

/** Shows the hosts, and asks the person; `null` where nobody can be asked. An empty answer is the one proposed: yes. */
export async function asksToAgree(wanted: Wanted, context: Context): Promise<boolean | null> {
  context.tell(agreeView(wanted));
  if (!canAsk(context)) return null;
  const answer = await context.askLine('Agree to these hosts? [Y/n] ', new AbortController().signal);
  return answer !== null && /^(?:y(?:es)?)?$/i.test(answer.trim());
}
