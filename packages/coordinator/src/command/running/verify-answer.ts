import type { Logger, Outcome, Tool, ToolAnswer } from '@signalbox/core';

type Answered = { readonly outcome: Outcome; readonly answer: ToolAnswer | undefined };

/** Paths named in the failure; the record has all. */
const MAX_NAMED = 5;

/**
 * Checks a handler's answer against the schema that its tool declares (M6, S000-05). An answer that differs is a fault
 * of ours: its output is dropped, and what the command did is still reported.
 */
export function verifiedAnswer(
  { outcome, answer }: Answered,
  { name, output }: Pick<Tool, 'name' | 'output'>,
  { logger, commandId }: Readonly<{ logger: Logger; commandId: string }>,
): Answered {
  if (answer === undefined || output === undefined) return { outcome, answer };
  const parsed = output.safeParse(answer.output);
  if (parsed.success) return { outcome, answer };
  logger.error({ commandId, tool: name, issues: parsed.error.issues }, 'tool answered outside its schema');
  return {
    answer: { ...answer, output: null },
    // Another failure says more, and the output of a failed call is not its answer.
    outcome: outcome.kind === 'completed' ? invalidOutput(name, answer) : outcome,
  };
}

function invalidOutput(name: string, { files = [], execution }: ToolAnswer): Outcome {
  const paths = [...files, ...(execution?.changes ?? [])].map(({ path }) => path);
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  return {
    kind: 'failed',
    failure: {
      code: 'invalid-output',
      category: 'PermanentFailure',
      message: `Cannot return the answer of ${name}: it does not have the form that the tool declares, which is a fault of Signalbox, not of the call`,
      suggestion: 'Do not repeat the call: it was executed. Tell the user to report this fault of Signalbox',
      ...(paths.length === 0
        ? {}
        : { why: [`its changes stay: ${paths.slice(0, MAX_NAMED).join(', ')}${more}`] }),
      visibility: 'visible',
    },
  };
}
