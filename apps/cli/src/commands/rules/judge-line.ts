import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, relative, resolve } from 'node:path';
import { claimsOfCall } from '@signalbox/coordinator';
import {
  type Mode,
  type ProviderId,
  type Settings,
  type Tool,
  type Trust,
  UsageError,
} from '@signalbox/core';
import {
  classifyLine,
  createPolicy,
  type Question,
  ruleOnFetches,
  withProjectHosts,
} from '@signalbox/policy';
import { createId } from '@signalbox/core';
import { randomBytes } from 'node:crypto';
import { ownTemporaryFolders } from '@signalbox/sandbox';
import { catalogue } from '@signalbox/tools';
import { createFirstLineOf } from '../../runtime/workspace/first-line-of.ts';
import { createHostsOfSource } from '../../runtime/workspace/project-hosts-of.ts';
import { createNamedFiles } from '../../runtime/workspace/project-facts.ts';
import type { CheckResult } from '../../views/command/check-view.ts';

/** The ruling on a shell line. Pure except for file names: no store, no lease, nothing runs. */
export function judgeLine(options: {
  readonly line: string;
  /** Absolute, as the user gave it. */
  readonly workspace: string;
  /** Absolute, or relative to the workspace. */
  readonly cwd: string;
  readonly settings: Settings;
  readonly mode: Mode;
  readonly provider: ProviderId;
  readonly trust: Trust;
  readonly sandboxed: boolean;
}): CheckResult {
  const { line, settings, mode, provider, trust, sandboxed } = options;
  // As it would run here: `signalbox doctor` reports a missing overlay.
  const transactional = sandboxed && settings.tools.shell.transactional;
  const home = homedir();
  const workspace = realpathSync(options.workspace);
  const cwd = resolve(workspace, options.cwd);
  const inside = relative(workspace, cwd);
  if (inside.startsWith('..') || isAbsolute(inside)) {
    throw new UsageError(
      'path-outside',
      `Cannot check a line in "${options.cwd}": it is outside the workspace`,
    );
  }
  const tool: Tool | undefined = catalogue().find(({ name }) => name === 'bash');
  if (tool === undefined)
    throw new UsageError('unknown-tool', 'Cannot check a shell line: there is no tool "bash"');
  const ownFolders = sandboxed ? ownTemporaryFolders() : [];
  const classified = classifyLine(line, {
    cwd,
    workspace,
    home,
    ownFolders,
    namedFiles: createNamedFiles(workspace),
    firstLineOf: createFirstLineOf(workspace),
  });
  const asked: Question = {
    tool,
    verdict: withProjectHosts(classified, createHostsOfSource(workspace)),
    line,
    mode,
    sandboxed,
    ownFolders,
    reversible: transactional,
    contentBytes: Buffer.byteLength(line),
    context: { provider, trust, phase: 'executor', sessionId: createId('session', randomBytes) },
  };
  const { question, ruling } = ruleOnFetches(asked, createPolicy(settings, { workspace, home }, Date));
  const { verdict } = question;
  const claims = claimsOfCall(verdict, tool, { transactional, settings });
  return { line, verdict, ruling, claims, mode, trust };
}
