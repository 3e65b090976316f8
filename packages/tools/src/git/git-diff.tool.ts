import { defineTool } from '@signalbox/core';
import * as z from 'zod';
import { FilePath, Operand } from '../arguments.ts';
import { gitProgram } from './git-program.ts';
import { isOfTime } from './is-of-time.ts';
import { needsRepository } from './needs-repository.ts';
import { programAnswer, ProgramOutput } from '../shell/program-answer.ts';

export const gitDiff = defineTool({
  name: 'git_diff',
  aliases: ['git.diff'],
  description:
    'Shows what changed as a unified diff: the working tree against the index, with staged the index against the last commit, with revision against that revision (or between two, as a..b).',
  requestKind: 'git',
  category: 'read_only',
  risk: 'low',
  requiresSandbox: true,
  retryable: true,
  args: z.strictObject({
    paths: z.array(FilePath).max(100).default([]).describe('Only these files and directories'),
    staged: z.boolean().default(false),
    revision: Operand.optional().describe('HEAD~1, main, main..topic'),
    stat: z.boolean().default(false).describe('true: numbers of lines only'),
  }),
  output: ProgramOutput,
  describe: ({ paths, staged, revision }) =>
    [...(staged ? ['staged'] : []), ...(revision === undefined ? [] : [revision]), ...paths].join(' '),
  reads: ({ revision }) => (isOfTime(revision) ? null : [{ path: '.' }]),
  effects: ({ paths }) => [
    ...(paths.length === 0 ? ['.'] : paths).map((path) => ({ kind: 'read', path, scope: 'tree' }) as const),
    { kind: 'resource', resource: 'git:index', access: 'read' },
    { kind: 'resource', resource: 'git:refs', access: 'read' },
  ],
  precheck: (_args, context) => needsRepository('git_diff', context),
  async handle({ paths, staged, revision, stat }, { run, git }) {
    await needsRepository('git_diff', { git });
    const args = [
      '--no-ext-diff',
      '--no-textconv',
      '--ignore-submodules=all',
      ...(staged ? ['--cached'] : []),
      ...(stat ? ['--stat'] : []),
      '--end-of-options',
      ...(revision === undefined ? [] : [revision]),
      '--',
      ...paths,
    ];
    return programAnswer(await run(gitProgram('diff', args), { workspace: 'read' }));
  },
});
