import { failureOf } from '@signalbox/core';
import type { RunnerDependencies } from '../command/runner-dependencies.ts';
import { isOfServer } from '../command/result-text.ts';
import type { CoordinatorOptions } from '../coordinator-options.ts';
import { newNonce } from './fence.ts';
import { untrustedSource } from './untrusted-source.ts';
import { fenceFor } from './untrusted-text.ts';

/** Decides which answers are from outside of the workspace, and fences them (K3). */
export function createUntrustedOf({
  tools,
  random,
}: Pick<CoordinatorOptions, 'tools' | 'random'>): RunnerDependencies['untrustedOf'] {
  return (record, { outcome, answer }) => {
    const failure = failureOf(outcome);
    const { origin } = tools.get(record.call.tool) ?? {};
    const source =
      answer === undefined && failure !== undefined && origin !== undefined && isOfServer(failure)
        ? `the MCP server ${origin.server}`
        : untrustedSource(record, answer);
    return source === null ? null : { source, fence: fenceFor(source, newNonce(random)) };
  };
}
