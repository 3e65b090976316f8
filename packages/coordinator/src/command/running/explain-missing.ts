import type { CommandRecord, Tool, WorkspaceLines } from '@signalbox/core';
import type { RunningCall } from './execute-call.ts';
import { lineWithoutEffect } from '../precheck/line-without-effect.ts';

/** Failures the output does not explain to a model: which program to run instead, or which branch was meant. */
const EXPLAINED: ReadonlySet<string> = new Set(['no-program', 'no-ref']);

type Parts = Omit<Parameters<typeof lineWithoutEffect>[1], 'clientEnv' | 'verdict'> & {
  readonly record: CommandRecord;
  readonly tool: Tool;
  readonly lines: WorkspaceLines;
  readonly normalise: (path: string) => string;
};

/** Explains what was missing to a line that ran without approval and failed, as the check before an approval does. */
export function explainMissing(call: RunningCall, { record, tool, ...parts }: Parts): RunningCall {
  async function explained(): ReturnType<() => RunningCall['ended']> {
    const ran = await call.ended;
    const { outcome } = ran;
    const shell = tool.shellLine?.(record.call.args, parts.lines);
    if (shell === undefined || outcome.kind !== 'failed' || outcome.failure.code !== 'exit-code') return ran;
    const { clientEnv } = record.context;
    const location = { line: shell.line, cwd: parts.normalise(shell.cwd ?? '.') };
    const found = await lineWithoutEffect(location, { ...parts, clientEnv, verdict: record.verdict }).catch(
      () => undefined,
    );
    if (found === undefined || !EXPLAINED.has(found.failure.code)) return ran;
    const { message, suggestion } = found.failure.toFailure();
    const why = [...(outcome.failure.why ?? []), message];
    const failure = { ...outcome.failure, ...(suggestion === undefined ? {} : { suggestion }), why };
    return { ...ran, outcome: { ...outcome, failure } };
  }
  return { ...call, ended: explained() };
}
