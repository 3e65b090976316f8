import type { Claim } from '@signalbox/core';
import type { CommandSummary } from '@signalbox/api';

type Loose = Partial<Omit<CommandSummary, 'claims'>> & {
  readonly claims?: readonly Readonly<{ resource: string; access: Claim['access'] }>[];
};

/** A command submitted at 0 that has not been judged. */
export function aSummary({ claims = [], ...given }: Loose = {}): CommandSummary {
  return {
    id: 'cmd_1',
    sessionId: 'ses_1',
    provider: 'anthropic',
    tool: 'bash',
    title: 'bash npm test',
    state: 'submitted',
    level: null,
    claims: claims as readonly Claim[],
    blockers: [],
    submittedAt: 0,
    askedAt: null,
    expiresAt: null,
    askedWhy: null,
    queuedAt: null,
    startedAt: null,
    endedAt: null,
    fencingToken: null,
    outcome: null,
    rule: null,
    message: null,
    ...given,
  };
}
