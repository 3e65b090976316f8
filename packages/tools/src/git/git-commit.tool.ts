import { ALL_MODES, defineTool, exitCodeOf, type ToolContext, ToolFailure } from '@signalbox/core';
import * as z from 'zod';
import { FilePath } from '../arguments.ts';
import { refuseIfLocked } from './git-lock.ts';
import { gitProgram } from './git-program.ts';
import { pathspecAnswer, needsPaths } from './pathspec-answer.ts';
import { noRepository } from './needs-repository.ts';
import { programAnswer, ProgramOutput } from '../shell/program-answer.ts';

export const gitCommit = defineTool({
  name: 'git_commit',
  aliases: ['git.commit'],
  description:
    'Commits what is staged with git_add, or only the changes of `paths`. No hook runs; nothing is signed or pushed.',
  requestKind: 'git',
  category: 'system_write',
  risk: 'medium',
  hints: { destructive: false },
  allowedModes: ALL_MODES.filter((mode) => mode !== 'LOCKDOWN'),
  requiresSandbox: true,
  args: z.strictObject({
    message: z
      .string()
      .max(65_536)
      .refine((text) => text.trim() !== '', { error: 'Is empty' })
      .refine((text) => !text.includes('\0'), { error: 'May hold no NUL' })
      .describe('A subject of at most 72 characters; then, after an empty line, why'),
    paths: z
      .array(FilePath)
      .min(1)
      .max(1000)
      .optional()
      .describe('Commits these as they are now, and nothing else that is staged'),
  }),
  output: ProgramOutput,
  describe: ({ message }) => JSON.stringify(message.trim().split('\n')[0]),
  effects: ({ paths = [] }) => [
    ...paths.map((path) => ({ kind: 'read', path, scope: 'tree' }) as const),
    { kind: 'resource', resource: 'git:index', access: 'write' },
    { kind: 'resource', resource: 'git:refs', access: 'write' },
  ],
  async precheck({ paths = [] }, { git, files }) {
    await refuseWithoutEffect(paths, { git });
    await needsPaths(paths, { git, files, verb: 'commit' });
  },
  plan: async ({ paths = [] }) => ({
    kind: 'commit',
    cwd: '.',
    isAll: false,
    isAmend: false,
    only: paths,
    added: paths,
  }),
  async handle({ message, paths = [] }, { run, git, files }) {
    await refuseWithoutEffect(paths, { git });
    const only = paths.length === 0 ? [] : ['--only', '--', ...paths];
    if (paths.length > 0) {
      // `commit --only` doesn't know new files until they are staged.
      const staged = await run(gitProgram('add', ['--all', '--', ...paths]));
      refuseIfLocked('git_commit', staged);
      if (exitCodeOf(staged) !== 0) return pathspecAnswer(staged, { files, paths, verb: 'commit' });
    }
    const args = ['--no-verify', '--no-gpg-sign', '--cleanup=whitespace', '--file=-', ...only];
    const committed = await run(gitProgram('commit', args), { stdin: message });
    refuseIfLocked('git_commit', committed);
    return programAnswer(committed);
  },
});

async function refuseWithoutEffect(
  paths: readonly string[],
  { git }: Pick<ToolContext, 'git'>,
): Promise<void> {
  const obstacle = await git.obstacle({ kind: paths.length === 0 ? 'commit-staged' : 'use', cwd: '.' });
  if (obstacle?.kind === 'no-repository') throw noRepository('git_commit');
  if (obstacle?.kind === 'nothing-staged') throw nothingStaged();
}

function nothingStaged(): ToolFailure {
  return new ToolFailure({
    code: 'nothing-staged',
    category: 'InvalidParameters',
    message: 'Cannot commit: nothing is staged',
    suggestion: 'Stage files with git_add first, or give git_commit the `paths` to commit',
  });
}
