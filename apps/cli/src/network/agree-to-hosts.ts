import type { AgreedHosts } from '@signalbox/core';
import { privateAddressesOf } from '@signalbox/sandbox';
import type { Context } from '../frame/context.ts';
import { canAsk } from '../frame/ask-yes.ts';
import { agreeView } from '../views/network-view.ts';
import type { Wanted } from './proposals.ts';
import type { AgreedChange } from './store-agreed.ts';

/** Adds the addresses of hosts that are not of the internet: the gate asks for them by name. */
export async function withAddresses(wanted: Wanted): Promise<Wanted> {
  const whole = await Promise.all(
    [...wanted].map(async ([profile, hosts]) => {
      const more = await Promise.all(hosts.map(async (host) => privateAddressesOf(host)));
      return [profile, [...new Set([...hosts, ...more.flat()])]] as const;
    }),
  );
  return new Map(whole.filter(([, hosts]) => hosts.length > 0));
}

/** The lists as they would be. */
export function joined(agreed: AgreedHosts, wanted: Wanted): AgreedChange {
  return Object.fromEntries(
    [...wanted].map(([profile, hosts]) => [profile, [...new Set([...agreed[profile], ...hosts])]]),
  );
}

/** Shows the hosts, and asks the person; `null` where nobody can be asked. An empty answer is the one proposed: yes. */
export async function asksToAgree(wanted: Wanted, context: Context): Promise<boolean | null> {
  context.tell(agreeView(wanted));
  if (!canAsk(context)) return null;
  const answer = await context.askLine('Agree to these hosts? [Y/n] ', new AbortController().signal);
  return answer !== null && /^(?:y(?:es)?)?$/i.test(answer.trim());
}
