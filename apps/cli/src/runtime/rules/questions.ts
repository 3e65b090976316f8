import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, relative, resolve } from 'node:path';
import { questionOf } from '@signalbox/coordinator';
import {
  type CommandRecord,
  createId,
  createToolRegistry,
  type Mode,
  type ProviderId,
  type Settings,
  ToolFailure,
  UsageError,
} from '@signalbox/core';
import {
  classifyLine,
  createPolicy,
  type Policy,
  type Question,
  ruleOnFetches,
  withProjectHosts,
} from '@signalbox/policy';
import { ownTemporaryFolders } from '@signalbox/sandbox';
import { catalogue } from '@signalbox/tools';
import { findLines } from '../workspace/find-lines.ts';
import { trustOf } from './trust-of.ts';
import type { Context } from '../contract/context.ts';
import { createNamedFiles } from '../workspace/project-facts.ts';
import { createHostsOfSource } from '../workspace/project-hosts-of.ts';

/** Inputs for rulings outside a coordinator: as if commands were confined. */
export type Questions = Readonly<{
  policyOf(settings: Settings): Policy;
  /** @throws {UsageError} `path-outside` */
  ofLine(line: string, circumstances: { provider: ProviderId; mode: Mode; cwd: string }): Question;
  /** The policy input of a stored command; null for a call that could not be judged. */
  ofRecord(record: CommandRecord, mode: Mode): Question | null;
}>;

export function createQuestions(
  { directory, clock, random }: Pick<Context, 'directory' | 'clock' | 'random'>,
  settings: Settings,
): Questions {
  const workspace = realpathSync(directory);
  const paths = { workspace, home: homedir() };
  const tools = createToolRegistry(catalogue());
  const lines = findLines(workspace, settings);
  const ownFolders = ownTemporaryFolders();
  const hostsOf = createHostsOfSource(workspace);
  const named = createNamedFiles(workspace);
  // As it would run here; `signalbox doctor` reports a missing overlay.
  const { transactional } = settings.tools.shell;
  const policy = createPolicy(settings, paths, clock);

  return {
    policyOf: (of) => createPolicy(of, paths, clock),
    ofLine(line, { provider, mode, cwd: given }) {
      const tool = tools.get('bash');
      const cwd = resolve(workspace, given);
      const inside = relative(workspace, cwd);
      if (tool === undefined)
        throw new UsageError('unknown-tool', 'Cannot check a shell line: there is no bash');
      if (inside.startsWith('..') || isAbsolute(inside)) {
        throw new UsageError(
          'path-outside',
          `Cannot check a line in "${given}": it is outside the workspace`,
        );
      }
      const asked: Question = {
        tool,
        line,
        verdict: withProjectHosts(
          classifyLine(line, { cwd, ...paths, ownFolders, namedFiles: named }),
          hostsOf,
        ),
        mode,
        sandboxed: true,
        ownFolders,
        reversible: transactional,
        contentBytes: Buffer.byteLength(line),
        context: {
          provider,
          trust: trustOf(provider, settings),
          phase: 'executor',
          sessionId: createId('session', random),
        },
      };
      return ruleOnFetches(asked, policy).question;
    },
    ofRecord(record, mode) {
      const tool = tools.get(record.call.tool);
      if (tool === undefined || record.verdict === null) return null;
      try {
        return questionOf(tool, record, { lines, sandboxed: true, ownFolders, transactional, mode });
      } catch (error) {
        // A tool whose line is no longer configured.
        if (error instanceof ToolFailure) return null;
        throw error;
      }
    },
  };
}

/** The mode of the workspace, if anything ever ran in it. */
export async function modeNow({ entry, directory }: Context, fallback: Mode): Promise<Mode> {
  const records = await entry.openRecords({ workspace: directory });
  try {
    return (await records?.mode())?.mode ?? fallback;
  } finally {
    await records?.close();
  }
}
