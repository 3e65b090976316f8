import { defineTool } from '@signalbox/core';
import * as z from 'zod';
import { gitProgram } from './git-program.ts';
import { needsRepository } from './needs-repository.ts';
import { programAnswer, ProgramOutput } from '../shell/program-answer.ts';

export const gitStatus = defineTool({
  name: 'git_status',
  aliases: ['git.status'],
  description: 'Shows the branch and the files that differ from the last commit, in short form.',
  requestKind: 'git',
  category: 'read_only',
  risk: 'low',
  requiresSandbox: true,
  retryable: true,
  args: z.strictObject({}),
  output: ProgramOutput,
  describe: () => '',
  reads: () => [{ path: '.' }],
  effects: () => [
    { kind: 'read', path: '.', scope: 'tree' },
    { kind: 'resource', resource: 'git:index', access: 'read' },
    { kind: 'resource', resource: 'git:refs', access: 'read' },
  ],
  precheck: (_args, context) => needsRepository('git_status', context),
  async handle(_args, { run, git }) {
    await needsRepository('git_status', { git });
    const args = ['--short', '--branch', '--untracked-files=all', '--ignore-submodules=all'];
    return programAnswer(await run(gitProgram('status', args), { workspace: 'read' }));
  },
});
