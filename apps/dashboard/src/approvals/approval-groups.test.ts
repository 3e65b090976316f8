import { expect, test } from 'vitest';
import type { WaitingApproval } from '@signalbox/api';
import { groupsOf } from './approval-groups.ts';

function asks(
  provider: string,
  line: string,
  { level, submittedAt }: Readonly<{ level: string; submittedAt: number }>,
): WaitingApproval {
  const command = {
    id: `cmd_${submittedAt}`,
    call: { tool: 'bash', args: { line } },
    context: { provider },
    verdict: { level, effects: [], reasons: [] },
    submittedAt,
  };
  return { command } as unknown as WaitingApproval;
}

const many = Array.from({ length: 8 }, (_, at) =>
  asks('gemini', `mkdir ${at}`, { level: 'warning', submittedAt: at }),
);

function names(groups: ReturnType<typeof groupsOf>): readonly string[] {
  return groups.map(({ provider, what, members }) => `${provider} ${what} ${members.length}`.trim());
}

test('a few approvals are ungrouped, the highest level first and then the oldest', () => {
  const [group, ...others] = groupsOf([
    asks('openai', 'touch b', { level: 'warning', submittedAt: 2 }),
    asks('openai', 'npm publish', { level: 'dangerous', submittedAt: 3 }),
    asks('gemini', 'touch a', { level: 'warning', submittedAt: 1 }),
  ]);
  expect(others).toEqual([]);
  expect(group?.members.map(({ command }) => command.submittedAt)).toEqual([3, 1, 2]);
});

test('many approvals are grouped by provider and program, and dangerous ones stay on top', () => {
  const groups = groupsOf([
    ...many,
    asks('openai', 'mkdir x', { level: 'warning', submittedAt: 90 }),
    asks('gemini', 'git push', { level: 'dangerous', submittedAt: 99 }),
  ]);
  expect(names(groups)).toEqual(['gemini git 1', 'gemini mkdir 8', 'openai mkdir 1']);
});

test('calls of one program are in different groups if their levels differ', () => {
  const groups = groupsOf([...many, asks('gemini', 'mkdir /etc', { level: 'dangerous', submittedAt: 99 })]);
  expect(names(groups)).toEqual(['gemini mkdir 1', 'gemini mkdir 8']);
});
