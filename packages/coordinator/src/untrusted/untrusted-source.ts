import type { CommandRecord, Effect, Execution, NetworkUse, ToolAnswer } from '@signalbox/core';
import { isLoopback } from '@signalbox/policy';

/** More of them tell a model nothing new. */
const MAX_NAMED = 3;

/**
 * Where the text of an answer comes from if that is outside of the workspace, in words; null otherwise. No command reads
 * a file there that its line names: the policy denies it.
 */
export function untrustedSource(
  { verdict }: Pick<CommandRecord, 'verdict'>,
  answer: Pick<ToolAnswer, 'untrusted' | 'execution'> | undefined,
): string | null {
  if (answer?.untrusted !== undefined) return answer.untrusted;
  if (answer?.execution === undefined) return null;
  return networkSource(verdict?.effects ?? [], answer.execution);
}

/** Services of this machine are the workspace's own. */
function networkSource(
  effects: readonly Effect[],
  { network, isolation }: Pick<Execution, 'network' | 'isolation'>,
): string | null {
  if (network !== undefined) return named(reachedHosts(network));
  // Nobody watched its connections: the verdict says whether it wanted any.
  const isOpen = isolation.net.strength !== 'enforced';
  const wanted = effects.filter((effect) => effect.kind === 'network');
  if (!isOpen) return null;
  const hosts = wanted.flatMap(({ host }) => (host === undefined || isLoopback(host) ? [] : [host]));
  return named(hosts) ?? (wanted.some(({ host }) => host === undefined) ? 'the network' : null);
}

function reachedHosts(network: readonly NetworkUse[]): readonly string[] {
  return network
    .filter(({ outcome, target }) => outcome === 'reached' && !isLoopback(target.replace(/:\d+$/, '')))
    .map(({ target }) => target);
}

function named(hosts: readonly string[]): string | null {
  const all = [...new Set(hosts)];
  if (all.length === 0) return null;
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : '';
  return `the network: ${all.slice(0, MAX_NAMED).join(', ')}${more}`;
}
