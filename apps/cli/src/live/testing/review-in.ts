import { createTestTerminal } from '../../testing/test-context.ts';

/** `signalbox review` on a terminal where the user types these answers. */
export function reviewIn(workspace: string, ...answers: readonly string[]) {
  const typed = [...answers];
  return createTestTerminal(workspace, {
    onAsked: () => undefined,
    typed: () => typed.shift() ?? null,
  }).signalbox('review');
}
