import { createId, type JsonObject, ProviderId, type RandomBytes, type SessionId } from '@signalbox/core';
import { shellLineOf } from '../evidence/shell-line.ts';
import type { PlannedCommand } from '../plan/planned-command.ts';
import { BENCH_TOOLS } from '../runtime/bench-tools.ts';

export type BenchCall = Readonly<{ callId: string; tool: string; args: JsonObject }>;

/** The call that a planned command is sent as. */
export function callOf(command: PlannedCommand): BenchCall {
  const { key, path, scope, workMs, plannedOutcome, work, person } = command;
  const callId = String(key);
  switch (work) {
    case 'read':
      return { callId, tool: BENCH_TOOLS.read, args: { key, path, scope, workMs } };
    case 'write':
      return {
        callId,
        tool: person === 'nobody' ? BENCH_TOOLS.write : BENCH_TOOLS.asked,
        args: { key, path, workMs, fate: plannedOutcome },
      };
    case 'shell':
    case 'git':
      return { callId, tool: 'bash', args: { line: shellLineOf(command) } };
  }
}

/** `agent-12`: each agent has its own lane and limits. */
export function providerOf(agent: number): ProviderId {
  return ProviderId.parse(`agent-${agent}`);
}

/** The callers: each agent is a provider with one session. */
export function createAgents(
  random: RandomBytes,
): (agent: number) => Readonly<{ sessionId: SessionId; provider: ProviderId }> {
  const sessions = new Map<number, SessionId>();
  return (agent) => {
    const sessionId = sessions.get(agent) ?? createId('session', random);
    sessions.set(agent, sessionId);
    return { sessionId, provider: providerOf(agent) };
  };
}
