import { ALL_MODES, defineTool } from '@signalbox/core';
import * as z from 'zod';
import { FilePath } from '../arguments.ts';
import { refuseIfLocked } from './git-lock.ts';
import { gitProgram } from './git-program.ts';
import { pathspecAnswer, needsPaths } from './pathspec-answer.ts';
import { needsRepository } from './needs-repository.ts';
import { ProgramOutput } from '../shell/program-answer.ts';

export const gitAdd = defineTool({
  name: 'git_add',
  aliases: ['git.add'],
  description: 'Stages files, or all below directories, for the next commit. Deleted ones are staged too.',
  requestKind: 'git',
  category: 'system_write',
  risk: 'medium',
  hints: { destructive: false, idempotent: true },
  allowedModes: ALL_MODES.filter((mode) => mode !== 'LOCKDOWN'),
  requiresSandbox: true,
  args: z.strictObject({ paths: z.array(FilePath).min(1).max(1000) }),
  output: ProgramOutput,
  describe: ({ paths }) => paths.join(' '),
  effects: ({ paths }) => [
    ...paths.map((path) => ({ kind: 'read', path, scope: 'tree' }) as const),
    { kind: 'resource', resource: 'git:index', access: 'write' },
  ],
  async precheck({ paths }, { git, files }) {
    await needsRepository('git_add', { git });
    await needsPaths(paths, { git, files, verb: 'stage' });
  },
  plan: async ({ paths }) => ({ kind: 'stage', cwd: '.', paths }),
  async handle({ paths }, { run, git, files }) {
    await needsRepository('git_add', { git });
    const staged = await run(gitProgram('add', ['--all', '--', ...paths]));
    refuseIfLocked('git_add', staged);
    return pathspecAnswer(staged, { files, paths, verb: 'stage' });
  },
});
