import type { CommandRecord, ExecutionRequest, Program, RunOptions } from '@signalbox/core';
import { answerCodes, CHECK_CODES } from '@signalbox/policy';

/** The codes other than 0 that are a program's normal answers. An argv is built by a tool, which reads its code. */
export function answersOf(
  program: Program,
  { isCheck = false }: RunOptions,
): Pick<ExecutionRequest, 'answerCodes'> {
  if (program.kind === 'argv') return {};
  const codes = answerCodes(program.line);
  return { answerCodes: isCheck && codes.length === 0 ? CHECK_CODES : codes };
}

/** An argv is built by a tool, which knows its program's location and parses its output. */
export function clientEnvOf(
  { kind }: Program,
  { context: { clientEnv } }: CommandRecord,
): Pick<ExecutionRequest, 'clientEnv'> {
  return kind === 'argv' || clientEnv === undefined ? {} : { clientEnv };
}
