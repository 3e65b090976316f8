import { defineTool, type StampPath } from '@signalbox/core';
import * as z from 'zod';
import { FilePath, Operand } from '../arguments.ts';
import { gitProgram } from './git-program.ts';
import { isOfTime } from './is-of-time.ts';
import { needsRepository } from './needs-repository.ts';
import { programAnswer, ProgramOutput } from '../shell/program-answer.ts';

/** What a log depends on: refs, and what replaces or adds commits. The commits themselves never change. */
const LOG_FILES: readonly StampPath[] = [
  { path: '.git', depth: 1 },
  ...['refs', 'reftable', 'logs', 'info', 'objects/info'].map((name) => ({ path: `.git/${name}` })),
  { path: '.mailmap' },
];

export const gitLog = defineTool({
  name: 'git_log',
  aliases: ['git.log'],
  description: 'Lists commits, newest first: short hash, date, author, subject.',
  requestKind: 'git',
  category: 'read_only',
  risk: 'low',
  requiresSandbox: true,
  retryable: true,
  args: z.strictObject({
    maxCount: z.int().min(1).max(1000).default(20),
    revision: Operand.optional().describe('Where to start: a branch, tag, hash, or a..b; HEAD when absent'),
    paths: z.array(FilePath).max(100).default([]).describe('Only commits that touch these'),
    messages: z.boolean().default(false).describe('true: whole messages'),
  }),
  output: ProgramOutput,
  describe: ({ revision, paths }) => [...(revision === undefined ? [] : [revision]), ...paths].join(' '),
  reads: ({ revision }) => (isOfTime(revision) ? null : LOG_FILES),
  effects: () => [{ kind: 'resource', resource: 'git:refs', access: 'read' }],
  precheck: (_args, context) => needsRepository('git_log', context),
  async handle({ maxCount, revision, paths, messages }, { run, git }) {
    await needsRepository('git_log', { git });
    const args = [
      `--max-count=${maxCount}`,
      '--no-ext-diff',
      '--no-textconv',
      '--no-decorate',
      '--date=short',
      `--format=%h %ad %an  %s${messages ? '%n%n%b' : ''}`,
      '--end-of-options',
      ...(revision === undefined ? [] : [revision]),
      '--',
      ...paths,
    ];
    return programAnswer(await run(gitProgram('log', args), { workspace: 'read' }));
  },
});
