import type { SessionView } from '@signalbox/api';
import type { Panel } from './panel.ts';
import type { CommandSummary } from '@signalbox/api';

/** A provider's state while it has no unfinished command. */
export type ProviderStatus = Readonly<
  | { kind: 'thinking'; session: SessionView }
  | { kind: 'ended'; session: SessionView }
  /** A person, a script or an agent over MCP: whether it thinks is unknown. */
  | { kind: 'idle' }
>;

/**
 * A running session thinks. An ended one counts until the provider calls without a session.
 *
 * @param summaries the provider's, oldest first.
 */
export function providerStatus(
  provider: string,
  summaries: readonly CommandSummary[],
  { sessions }: Pick<Panel, 'sessions'>,
): ProviderStatus {
  const own = [...sessions.values()].filter((session) => session.provider === provider);
  const running = own.find(({ state }) => state === 'running');
  if (running !== undefined) return { kind: 'thinking', session: running };
  const session = own.toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0))[0];
  if (session === undefined) return { kind: 'idle' };
  const latest = summaries.at(-1);
  const calledSince = latest !== undefined && latest.submittedAt > (session.endedAt ?? 0);
  return calledSince ? { kind: 'idle' } : { kind: 'ended', session };
}
