import { type CommandRecord, failureOf, type ToolAnswer } from '@signalbox/core';
import type { RunnerDependencies } from '../command/runner-dependencies.ts';
import { isOfServer } from '../command/result-text.ts';
import type { CoordinatorOptions } from '../coordinator-options.ts';
import { createDownloadedFiles } from './downloaded-files.ts';
import { newNonce } from './fence.ts';
import { untrustedSource } from './untrusted-source.ts';
import { fenceFor } from './untrusted-text.ts';

/** Decides which answers are from outside of the workspace, and fences them (K3). */
export function createUntrustedOf({
  tools,
  random,
}: Pick<CoordinatorOptions, 'tools' | 'random'>): RunnerDependencies['untrustedOf'] {
  const downloaded = createDownloadedFiles();

  /** Of a tool without a server: what it printed, or the file that it read. */
  function sourceOf(record: CommandRecord, answer: ToolAnswer | undefined): string | null {
    const source = untrustedSource(record, answer);
    const changes = [...(answer?.files ?? []), ...(answer?.execution?.changes ?? [])];
    const read = downloaded.sourceOf(record);
    downloaded.note(record, { changes, source });
    return source ?? (answer === undefined ? null : read);
  }

  return (record, { outcome, answer }) => {
    const failure = failureOf(outcome);
    const { origin } = tools.get(record.call.tool) ?? {};
    const source =
      answer === undefined && failure !== undefined && origin !== undefined && isOfServer(failure)
        ? `the MCP server ${origin.server}`
        : sourceOf(record, answer);
    return source === null ? null : { source, fence: fenceFor(source, newNonce(random)) };
  };
}
