import { type ClientEnvironment, ProviderId, type RandomBytes, type SessionId } from '@signalbox/core';
import type { Coordinator } from '../coordinator-api.ts';
import { newNonce } from '../untrusted/fence.ts';
import { fenceFor } from '../untrusted/untrusted-text.ts';
import type { CheckedLine } from './run-checks.ts';

/** A line that decides whether the work is done; it runs in `cwd`, by default the workspace itself. */
export type UntilLine = Readonly<{ line: string; cwd?: string | undefined }>;

/** The person who started the run, as the provider of the call. */
const YOU = ProviderId.parse('you');

/** It did not run, or somebody stopped it. */
const REFUSED: ReadonlySet<string> = new Set(['denied', 'blocked', 'cancelled', 'lost']);

/** Runs the `until` line in the same sandbox as everything else. */
export async function runUntil(
  { line, cwd }: UntilLine,
  parts: Readonly<{
    coordinator: Pick<Coordinator, 'submit'>;
    /** The workspace's own tests. */
    tests: string | null;
    random: RandomBytes;
    sessionId: SessionId;
    /** The run's priority. */
    priority?: number | undefined;
    clientEnv?: ClientEnvironment | undefined;
  }>,
): Promise<CheckedLine> {
  // The workspace's own tests run as tests: they are judged and limited as such.
  const isTests = line === parts.tests && cwd === undefined;
  const { commandId, result } = parts.coordinator.submit(
    {
      callId: 'until',
      tool: isTests ? 'run_tests' : 'bash',
      args: isTests ? {} : { line, ...(cwd === undefined ? {} : { cwd }) },
    },
    {
      sessionId: parts.sessionId,
      provider: YOU,
      trust: 'trusted',
      phase: 'verifier',
      ...(parts.priority === undefined ? {} : { priority: parts.priority }),
      ...(parts.clientEnv === undefined ? {} : { clientEnv: parts.clientEnv }),
    },
  );
  const ended = await result;
  // Results contain -1 if the process did not exit by itself.
  const exitCode = ended.exitCode !== null && ended.exitCode >= 0 ? ended.exitCode : null;
  const { failure } = ended;
  const why = failure === null || exitCode !== null ? [] : [failure.message, failure.suggestion ?? ''];
  return {
    result: {
      line,
      passed: exitCode === 0 && ended.success,
      exitCode,
      why: why.filter((row) => row !== ''),
      commandId,
    },
    // Sessions read it in a message of the user's role.
    content: fenceFor('the output of the check', newNonce(parts.random))(ended.content),
    canBeMended: !REFUSED.has(ended.outcome.kind),
  };
}
