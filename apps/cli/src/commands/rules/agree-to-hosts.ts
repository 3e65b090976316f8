import type { Context } from '../../runtime/contract/context.ts';
import { canAsk } from '../../live/ask-yes.ts';
import { type Addresses, withAddresses } from '../../runtime/rules/agreement.ts';
import type { ImportProposal, WantedRule } from '../../runtime/rules/proposals.ts';
import { agreeView } from './network-view.ts';

type AskedHosts = Readonly<{
  /** Without the addresses. */
  wanted: WantedRule;
  addresses: Addresses;
  /** Why each is included. */
  proposals: readonly ImportProposal[];
}>;

/** Shows the hosts and prompts the user; `null` without prompts. Empty input means yes. */
export async function asksToAgree(
  { wanted, addresses, proposals }: AskedHosts,
  context: Context,
): Promise<boolean | null> {
  const whole = withAddresses(wanted, addresses);
  context.tell(agreeView(whole, context.noticeRender().width, { addresses, proposals }));
  if (!canAsk(context)) return null;
  const answer = await context.askLine('Allow these hosts? [Y/n] ', new AbortController().signal);
  return answer !== null && /^(?:y(?:es)?)?$/i.test(answer.trim());
}
