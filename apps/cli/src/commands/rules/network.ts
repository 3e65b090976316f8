import { isLocalhost, type NetworkProfile, parseHost, parseHostPattern, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { reportChange } from '../../runtime/rules/draft.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { asksToAgree } from './agree-to-hosts.ts';
import { addressesOf, joined, withAddresses } from '../../runtime/rules/agreement.ts';
import { createProjectHosts } from '../../runtime/workspace/project-hosts-of.ts';
import {
  newHosts,
  type ImportProposal,
  proposalsOf,
  type WantedRule,
} from '../../runtime/rules/proposals.ts';
import { type HostListChange, storeAgreed } from '../../runtime/rules/store-agreed.ts';
import { line, muted } from '../../terminal/line.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { fileChangeView } from '../../views/command/file-change-view.ts';
import { networkView } from './network-view.ts';

/** `signalbox network list|allow|forget`: hosts that lines may reach without approval. */
export const network = defineSubcommand({
  name: 'network',
  args: z.object({
    action: z.enum(['list', 'allow', 'forget']).default('list'),
    what: z.array(z.string()).default([]),
    yes: z.boolean().default(false),
  }),
  async run({ action, what, yes }, context) {
    const { settings } = await loadSettings(context);
    const { agreed } = settings.sandbox.network;
    const proposals = proposalsOf(createProjectHosts(context.directory)(), agreed);
    if (action === 'list') {
      context.answer({
        json: () => ({ agreed, profiles: proposals }),
        lines: ({ width }) => networkView(proposals, width),
      });
      return EXIT.ok;
    }
    refuseInsideCommand(context, 'allow hosts');
    if (action === 'forget') {
      const profiles = (what.length === 0 ? ['packages', 'remotes', 'localhost'] : what).map(profileNamed);
      return store(Object.fromEntries(profiles.map((profile) => [profile, []])), context);
    }
    const named = wantedOf(what, proposals);
    const addresses = await addressesOf(named);
    const wanted = withAddresses(named, addresses);
    if (wanted.size === 0) {
      context.answer({
        json: () => ({ agreed, changed: false }),
        lines: () => [line(muted('Nothing new: every host is already allowed, or the project names none.'))],
      });
      return EXIT.ok;
    }
    const isAgreed = yes ? true : await asksToAgree({ wanted: named, addresses, proposals }, context);
    if (isAgreed === null) {
      throw new UsageError('needs-approval', 'Cannot allow these hosts: there is no terminal to confirm on', {
        next: [`signalbox network allow ${what.join(' ')} --yes`.replace('  ', ' ')],
      });
    }
    return isAgreed ? store(joined(agreed, wanted), context) : EXIT.needsApproval;
  },
});

async function store(change: HostListChange, context: Context): Promise<ExitCode> {
  const before = await loadSettings(context);
  const { file, after, loaded } = await storeAgreed(change, context);
  context.answer({
    json: () => ({
      agreed: loaded.settings.sandbox.network.agreed,
      changed: after !== (file.text ?? ''),
      file: file.name,
    }),
    lines: () =>
      fileChangeView({ name: file.name, purpose: 'yours, for this workspace', before: file.text, after }),
  });
  reportChange(before, loaded, context);
  return EXIT.ok;
}

/** Without arguments: the project's hosts, which `init` proposes. */
function wantedOf(what: readonly string[], proposals: readonly ImportProposal[]): WantedRule {
  const wanted = new Map<NetworkProfile, string[]>();
  for (const word of what.length === 0 ? ['packages', 'remotes'] : what) {
    const profile = profileNamed(word);
    const proposal = proposals.find((one) => one.profile === profile);
    const hosts = profile === word ? (proposal === undefined ? [] : newHosts(proposal)) : [word];
    wanted.set(profile, [...(wanted.get(profile) ?? []), ...hosts]);
  }
  return wanted;
}

/** `packages`, `remotes`, or a server of this machine with its port. */
function profileNamed(word: string): NetworkProfile {
  if (word === 'packages' || word === 'remotes' || word === 'localhost') return word;
  const host = parseHost(word.replace(/:(?:\*|\d{1,5})$/, ''));
  const isLocal = host !== null && (isLocalhost(host) || /^(?:127\.|::1$)/.test(host.text));
  if (isLocal && parseHostPattern(word) !== null) return 'localhost';
  throw new UsageError('usage', `Cannot allow "${word}": it must be packages, remotes or localhost:PORT`, {
    next: ['signalbox network allow packages', 'signalbox network allow localhost:3000'],
  });
}
