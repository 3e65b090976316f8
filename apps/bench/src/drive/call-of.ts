import { shellLineOf } from '../evidence/shell-line.ts';
import { BENCH_TOOLS } from '../runtime/bench-tools.ts';
import type { PlannedCommand } from '../plan/planned-command.ts';

export type BenchCall = Readonly<{
  tool: string;
  args: Readonly<Record<string, unknown>>;
}>;

/** The call by which an agent asks for a planned command. */
export function callOf(command: PlannedCommand): BenchCall {
  const { key, path, scope, workMs, fate, work, person } = command;
  switch (work) {
    case 'read':
      return { tool: BENCH_TOOLS.read, args: { key, path, scope, workMs } };
    case 'write':
      return {
        tool: person === 'nobody' ? BENCH_TOOLS.write : BENCH_TOOLS.asked,
        args: { key, path, workMs, fate },
      };
    case 'shell':
    case 'git':
      return { tool: 'bash', args: { line: shellLineOf(command) } };
  }
}

/** `agent-12`: each has a lane and limits of its own. */
export function providerOf(agent: number): string {
  return `agent-${agent}`;
}
