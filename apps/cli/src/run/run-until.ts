import { createId } from '@signalbox/core';
import type { Context } from '../frame/context.ts';
import { YOU } from '../frame/you.ts';
import type { House } from '../house.ts';
import { ownExitCode } from '../views/own-exit-code.ts';
import type { RunSummary } from './run-summary.ts';

/** A line that says whether the work is done; it runs in that folder of the workspace, by default in the workspace itself. */
export type UntilLine = Readonly<{ line: string; cwd?: string }>;

/** Runs the line that says whether the work is done, through the same box as everything else. */
export async function runUntil(
  { line, cwd }: UntilLine,
  house: House,
  context: Context,
): Promise<RunSummary['until']> {
  // The workspace's own tests run as such: they are judged and held to what tests may do.
  const isTests = line === house.lines.tests && cwd === undefined;
  const { commandId, result } = house.coordinator.submit(
    {
      callId: 'until',
      tool: isTests ? 'run_tests' : 'bash',
      args: isTests ? {} : { line, ...(cwd === undefined ? {} : { cwd }) },
    },
    { sessionId: createId('session', context.random), provider: YOU, trust: 'trusted', phase: 'verifier' },
  );
  const ended = await result;
  const { failure } = ended;
  const exitCode = ownExitCode(ended);
  const why = failure === null || exitCode !== null ? [] : [failure.message, failure.suggestion ?? ''];
  return {
    line,
    passed: exitCode === 0 && ended.success,
    exitCode,
    why: why.filter((row) => row !== ''),
    commandId,
  };
}
