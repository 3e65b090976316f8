import {
  type ClientEnvironment,
  type CommandResult,
  ProviderId,
  type RandomBytes,
  type RawCall,
  type SessionId,
} from '@signalbox/core';
import { commandIdOfCall } from '../call-command-id.ts';
import type { Coordinator } from '../../coordinator-api.ts';
import { newNonce } from '../../untrusted/fence.ts';
import { fenceFor } from '../../untrusted/untrusted-text.ts';
import type { CheckedLine } from '../run-checks.ts';

/** A line that decides whether the work is done; it runs in `cwd`, by default the workspace itself. */
export type UntilLine = Readonly<{ line: string; cwd?: string | undefined }>;

/** The person who started the run, as the provider of the call. */
const YOU = ProviderId.parse('you');

/** It did not run, or somebody stopped it. */
const REFUSED: ReadonlySet<string> = new Set(['denied', 'blocked', 'cancelled', 'lost']);

type UntilParts = Readonly<{
  coordinator: Pick<Coordinator, 'submitAs' | 'earlierResult'>;
  /** Of the check, from 1. */
  round: number;
  /** Whether the check may have begun before, in another process. */
  isResuming: boolean;
  /** The workspace's own tests. */
  tests: string | null;
  random: RandomBytes;
  sessionId: SessionId;
  /** The run's priority. */
  priority?: number | undefined;
  clientEnv?: ClientEnvironment | undefined;
}>;

/** Runs the `until` line in the same sandbox as everything else. */
export async function runUntil({ line, cwd }: UntilLine, parts: UntilParts): Promise<CheckedLine> {
  // The workspace's own tests run as tests: they are judged and limited as such.
  const isTests = line === parts.tests && cwd === undefined;
  const ended = await resultOf(parts, {
    callId: 'until',
    tool: isTests ? 'run_tests' : 'bash',
    args: isTests ? {} : { line, ...(cwd === undefined ? {} : { cwd }) },
  });
  const { commandId } = ended;
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

/** The process that ran it has died, or was stopped. */
const INTERRUPTED: ReadonlySet<string> = new Set(['lost', 'cancelled']);

/**
 * A check that was interrupted by a restart runs again: a person wrote its line to be repeated. One that has ended, or
 * is still going on, is not run a second time.
 */
async function resultOf(
  parts: UntilParts,
  call: RawCall & { readonly args: object },
): Promise<CommandResult> {
  const { coordinator, sessionId, round, priority, clientEnv } = parts;
  for (let attempt = 0; ; attempt += 1) {
    const asTold = { id: call.callId, name: call.tool, argsText: JSON.stringify(call.args) };
    const of = { sessionId, turn: round, position: attempt, call: asTold };
    const id = commandIdOfCall({ ...of, isRepaired: false });
    const earlier = parts.isResuming ? await coordinator.earlierResult(id) : null;
    if (earlier !== null && INTERRUPTED.has(earlier.outcome.kind)) continue;
    if (earlier !== null) return earlier;
    const context = {
      sessionId,
      provider: YOU,
      trust: 'trusted',
      phase: 'verifier',
      ...(priority === undefined ? {} : { priority }),
      ...(clientEnv === undefined ? {} : { clientEnv }),
    } as const;
    return coordinator.submitAs(call, { id, context }).result;
  }
}
