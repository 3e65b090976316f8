import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { lineWithoutEffect } from '@signalbox/coordinator';
import type { Failure, Ruling, Settings, Verdict } from '@signalbox/core';
import { createPolicy } from '@signalbox/policy';
import { createFiles, lacksProgram } from '@signalbox/sandbox';
import { openInspector } from './local-executor.ts';

/**
 * Why a shell line that would need approval fails at once instead, in the coordinator's words. Null if it would not
 * fail, or would not need approval.
 */
export async function failureOfLine(options: {
  readonly line: string;
  /** Absolute, as the user gave it. */
  readonly workspace: string;
  /** Absolute, inside the workspace. */
  readonly cwd: string;
  readonly settings: Settings;
  readonly verdict: Verdict;
  readonly ruling: Ruling;
  /** Folders of programs. */
  readonly path: string | undefined;
}): Promise<Failure | null> {
  if (options.ruling.kind !== 'ask') return null;
  const { line, settings, verdict, path = '/usr/local/bin:/usr/bin:/bin' } = options;
  const home = homedir();
  const workspace = await realpath(options.workspace);
  const { isDenied, readView } = createPolicy(settings, { workspace, home }, Date);
  // Temporary, so that nothing is left in a folder that is not a workspace yet.
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-check-'));
  try {
    const found = await lineWithoutEffect(
      { line, cwd: relative(workspace, options.cwd) || '.' },
      {
        // A container has programs of its own.
        executor:
          settings.sandbox.container === null
            ? { lacks: (program) => lacksProgram(program, { path, home, workspace }) }
            : {},
        inspector: openInspector({ workspace, folder, path, isDenied }),
        files: createFiles({ workspace, isDenied, readView: () => readView }),
        isDenied: (one) => isDenied(one, 'read'),
        clientEnv: undefined,
        verdict,
      },
    );
    return found?.failure.toFailure() ?? null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
