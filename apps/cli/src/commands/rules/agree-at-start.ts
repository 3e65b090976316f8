import { canAsk } from '../../live/ask-yes.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { asksToAgree } from './agree-to-hosts.ts';
import { addressesOf, joined, withAddresses } from '../../runtime/rules/agreement.ts';
import { createProjectHosts } from '../../runtime/workspace/project-hosts-of.ts';
import { newHosts, proposalsOf } from '../../runtime/rules/proposals.ts';
import { storeAgreed } from '../../runtime/rules/store-agreed.ts';

/** The hosts that a project needs, and whether the user has agreed to them. */
export type StartHosts = Readonly<{ hosts: readonly string[]; isAgreed: boolean }>;

/**
 * Proposes the registries and remotes of a project during setup; null if there are no new ones, or if every warning
 * needs approval anyway.
 */
export async function agreeAtStart(context: Context): Promise<StartHosts | null> {
  const { settings } = await loadSettings(context);
  if (settings.approval.prompt_on_warning === true) return null;
  const { agreed } = settings.sandbox.network;
  const proposals = proposalsOf(createProjectHosts(context.directory)(), agreed);
  const named = new Map(
    proposals
      .filter((one) => one.profile !== 'localhost' && newHosts(one).length > 0)
      .map((one) => [one.profile, newHosts(one)]),
  );
  const hosts = [...named.values()].flat();
  if (hosts.length === 0) return null;
  if (!canAsk(context)) return { hosts, isAgreed: false };
  const addresses = await addressesOf(named);
  const isAgreed = (await asksToAgree({ wanted: named, addresses, proposals }, context)) === true;
  if (isAgreed) await storeAgreed(joined(agreed, withAddresses(named, addresses)), context);
  return { hosts, isAgreed };
}
