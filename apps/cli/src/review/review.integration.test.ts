import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestHouse } from '../testing/open-test-house.ts';
import { scriptOf, workspaceFor, write } from '../testing/scripted-workspace.ts';
import { createTestTerminal } from '../testing/test-context.ts';
import { readAnswer } from './review-answer.ts';

const FREE = { settings: { approval: { approval_mode: 'allow_all' } } } as const;

test('files of two providers are listed, shown, and undone one by one or all of a provider (U-M3)', async () => {
  await using own = await openTestHouse({ ...FREE, files: { 'a.txt': 'old\n' } });
  const at = (path: string): string => join(own.workspace, path);
  const run = async (provider: string, line: string): Promise<void> => {
    expect((await own.submit(provider, 'bash', { line }).result).success).toBe(true);
  };
  await run('openai', 'echo one > a.txt; echo one > b.txt; echo one > c.txt');
  await run('anthropic', 'echo two > d.txt; echo two >> b.txt');
  const typed = ['1', 'u 1', 'u 9', 'u anthropic', 'u openai', 'q'];
  const { signalbox } = createTestTerminal(own.workspace, {
    onAsked: () => undefined,
    typed: () => typed.shift() ?? null,
  });
  const { exit, talk } = await signalbox('review');
  expect(exit).toBe(0);
  expect(talk).toContain('5 files changed by 2 providers');
  expect(talk).toMatch(/b\.txt {2}\+1 -0 {3}also changed by anthropic {3}changed since/);
  expect(talk).toMatch(/-old\n\+one/);
  expect(talk).toContain('there is no file or provider 9');
  expect(talk).toContain('No changes to review');
  expect(readFileSync(at('a.txt'), 'utf8')).toBe('old\n');
  for (const path of ['b.txt', 'c.txt', 'd.txt']) expect(existsSync(at(path))).toBe(false);
});

test('a file that changed since is not undone, and says so', async () => {
  await using own = await openTestHouse({ ...FREE, files: { 'a.txt': 'old\n' } });
  await own.submit('openai', 'bash', { line: 'echo one > a.txt' }).result;
  writeFileSync(join(own.workspace, 'a.txt'), 'mine\n');
  const typed = ['u 1', 'q'];
  const { signalbox } = createTestTerminal(own.workspace, {
    onAsked: () => undefined,
    typed: () => typed.shift() ?? null,
  });
  const { exit, talk } = await signalbox('review');
  expect([exit, talk]).toEqual([5, expect.stringContaining('a.txt was changed after it')]);
  expect(readFileSync(join(own.workspace, 'a.txt'), 'utf8')).toBe('mine\n');
});

test('without a terminal the list is printed, with --json as data, and nothing is undone', async () => {
  await using own = await openTestHouse(FREE);
  execFileSync('git', ['init', '-q', own.workspace]);
  const { signalbox } = createTestTerminal(own.workspace);
  expect((await signalbox('review')).out).toContain('No changes to review');
  await own.submit('openai', 'bash', { line: 'echo one > a.txt' }, { task: 'Add a' }).result;
  expect((await signalbox('review')).out).toMatch(/openai\n +1 {2}a\.txt {2}\+1 -0/);
  const { out } = await signalbox('review', '--json');
  expect(JSON.parse(out)).toMatchObject({
    providers: [
      {
        provider: 'openai',
        files: [{ path: 'a.txt', isCurrent: true, changes: [{ patch: expect.any(String) as unknown }] }],
      },
    ],
  });
});

test.each([
  { typed: ['u', 'y'], stays: false, told: /✓ a\.txt undone by/ },
  { typed: ['u', ''], stays: true, told: /r review/ },
  { typed: ['r', 'u 1'], stays: false, told: /No changes to review/ },
  { typed: ['c'], stays: true, told: /git add -- a\.txt && git commit -m/ },
  { typed: ['q'], stays: true, told: /All changes stay\..*signalbox review/ },
])('the last question of a run takes $typed (U-M3)', async ({ typed, stays, told }) => {
  const workspace = await workspaceFor(scriptOf('openai', [write('a.txt')]));
  const left = [...typed];
  const asked: string[] = [];
  const { exit, talk } = await createTestTerminal(workspace, {
    onAsked: () => undefined,
    typed(question) {
      asked.push(question);
      return left.shift() ?? null;
    },
  }).signalbox('run', 'Finish', '--until', 'true', '--no-serve');
  expect(exit).toBe(0);
  expect(asked[0]).toContain('r review · c commit line · u undo all · q leave as is');
  expect(`${asked.join('\n')}\n${talk}`).toMatch(told);
  expect([left, existsSync(join(workspace, 'a.txt'))]).toEqual([[], stays]);
});

test('what is typed is read as a number, an undo, the commit line, or leaving', () => {
  const file = { path: 'a', added: 1, removed: 0, alsoChangedBy: [], isCurrent: true, changes: [] };
  const files = [
    { number: 1, provider: 'openai', file },
    { number: 2, provider: 'openai', file },
  ];
  expect(readAnswer(' 2 ', files)).toEqual({ kind: 'show', file: files[1] });
  expect(readAnswer('u 1 openai', files)).toEqual({ kind: 'undo', what: '1, openai', files });
  expect(readAnswer('u', files)).toMatchObject({ kind: 'unclear' });
  expect(readAnswer('7', files)).toMatchObject({ kind: 'unclear' });
  for (const leave of ['', 'q']) expect(readAnswer(leave, files)).toEqual({ kind: 'leave' });
});
