import type { CommandId } from '@signalbox/core';
import type { CommandRunner } from './command-runner.ts';

/** The runners of commands that arrived earlier, in their order. */
export function* runnersBefore(
  id: CommandId,
  runners: ReadonlyMap<CommandId, CommandRunner>,
): Generator<CommandRunner, void> {
  for (const [other, runner] of runners) {
    if (other === id) return;
    yield runner;
  }
}
