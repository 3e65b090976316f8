import type { CommandRecord, ExecutionRequest, Program, RunOptions } from '@signalbox/core';
import { answerCodes, CHECK_CODES } from '@signalbox/policy';

/** The codes other than 0 by which a program answers; an argv is our own, and its tool reads its code. */
export function answersOf(
  program: Program,
  { isCheck = false }: RunOptions,
): Pick<ExecutionRequest, 'answerCodes'> {
  if (program.kind === 'argv') return {};
  const codes = answerCodes(program.line);
  return { answerCodes: isCheck && codes.length === 0 ? CHECK_CODES : codes };
}

/** An argv is our own: its tool knows where its program is, and reads what it prints. */
export function clientEnvOf(
  { kind }: Program,
  { context: { clientEnv } }: CommandRecord,
): Pick<ExecutionRequest, 'clientEnv'> {
  return kind === 'argv' || clientEnv === undefined ? {} : { clientEnv };
}
