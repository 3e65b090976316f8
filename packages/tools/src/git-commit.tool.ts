import { ALL_MODES, defineTool } from '@signalbox/core';
import * as z from 'zod';
import { gitProgram } from './git-program.ts';
import { programAnswer } from './program-answer.ts';

export const gitCommit = defineTool({
  name: 'git_commit',
  aliases: ['git.commit'],
  description: 'Commits what is staged with git_add. No hook runs, nothing is signed or pushed.',
  requestKind: 'git',
  category: 'system_write',
  risk: 'medium',
  hints: { destructive: false },
  policy: 'requires_approval',
  allowedModes: ALL_MODES.filter((mode) => mode !== 'LOCKDOWN'),
  requiresSandbox: true,
  args: z.strictObject({
    message: z
      .string()
      .max(65_536)
      .refine((text) => text.trim() !== '', { error: 'Is empty' })
      .refine((text) => !text.includes('\0'), { error: 'May hold no NUL' })
      .describe('A subject of at most 72 characters; then, after an empty line, why'),
  }),
  describe: ({ message }) => JSON.stringify(message.trim().split('\n')[0]),
  effects: () => [
    { kind: 'resource', resource: 'git:index', access: 'write' },
    { kind: 'resource', resource: 'git:refs', access: 'write' },
  ],
  plan: async () => ({ kind: 'commit', cwd: '.', isAll: false, isAmend: false, only: [], added: [] }),
  async handle({ message }, { run }) {
    const args = ['--no-verify', '--no-gpg-sign', '--cleanup=whitespace', '--file=-'];
    return programAnswer(await run(gitProgram('commit', args), { stdin: message }));
  },
});
