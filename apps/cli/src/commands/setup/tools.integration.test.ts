import { expect, test } from 'vitest';
import * as z from 'zod';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const Listed = z.object({ tools: z.array(z.object({ name: z.string() })) });

test('tools --provider lists what a provider may call: what it declares, in the current mode', async () => {
  const written = "providers:\n  openai:\n    tools: [read_file, write_file, 'git.*']\n";
  const workspace = ownWorkspace({ 'signalbox.yaml': written });
  const { signalbox } = createTestTerminal(workspace);
  const namesOf = async (...argv: readonly string[]): Promise<readonly string[]> =>
    Listed.parse(JSON.parse((await signalbox('--json', 'tools', ...argv)).out)).tools.map(({ name }) => name);
  const all = await namesOf();
  // Each session offers the first of these, whatever its provider lists.
  const expected = new Set(['compress_context', 'read_file', 'write_file']);
  const openai = all.filter((name) => expected.has(name) || name.startsWith('git_'));
  expect(openai.length).toBeGreaterThan(4);
  expect(await namesOf('--provider', 'openai')).toEqual(openai);
  expect(await namesOf('-p', 'openai')).toEqual(openai);
  // Tools for tests are offered to providers that declare them, and a search only where something is left out.
  const forTests = new Set(['echo', 'failing_tool', 'find_tools']);
  expect(await namesOf('--provider', 'anthropic')).toEqual(all.filter((name) => !forTests.has(name)));
  const locked = await namesOf('--provider', 'openai', '--mode', 'LOCKDOWN');
  expect(locked).toContain('read_file');
  expect(locked).not.toContain('write_file');
  await signalbox('exec', '--', 'true');
  await signalbox('mode', 'LOCKDOWN', '-m', 'strange pushes');
  expect(await namesOf('--provider', 'openai')).toEqual(locked);
});

const Explained = z.object({
  offered: z.array(z.object({ name: z.string(), reason: z.string(), tokens: z.int().positive() })),
  hidden: z.array(z.object({ name: z.string(), kind: z.string(), why: z.string() })),
  tokensSaved: z.int(),
});

test('tools --why explains each tool of an offer, and what is not offered (S001-75, S001-76)', async () => {
  const settings = {
    agent: { tool_filter: { enabled: true, top_k: 1 } },
    tools: { dependencies: { enabled: true, rules: { write_file: { requires: ['read_file'] } } } },
  };
  const { signalbox } = createTestTerminal(ownWorkspace({ 'signalbox.yaml': JSON.stringify(settings) }));
  const task = 'List the newest commits, each with its author, date and subject';
  const argv = ['tools', '--provider', 'openai', '--task', task];
  const { offered, hidden, tokensSaved } = Explained.parse(
    JSON.parse((await signalbox('--json', ...argv)).out),
  );
  const reasons = Object.fromEntries(offered.map(({ name, reason }) => [name, reason]));
  expect(reasons).toMatchObject({ read_file: 'basic', git_log: 'ranked', find_tools: 'search' });
  const why = Object.fromEntries(hidden.map((one) => [one.name, one.why]));
  expect(why).toMatchObject({
    write_file: 'requires read_file first (tools.dependencies)',
    git_status: expect.stringMatching(/^left out: number \d+ by similarity to the task, 0\.\d\d$/),
    echo: 'only for providers that list it (providers.<id>.tools)',
  });
  expect(tokensSaved).toBeGreaterThan(100);
  const { out } = await signalbox(...argv);
  expect(out).toMatch(/git_log +yes +\d+ +number 1 by similarity to the task, 1\.00/);
  expect(out).toMatch(/\d+ of \d+ tools offered, about \d+ tokens per request; the filter saves about \d+/);
  const locked = await signalbox('tools', '--why', '--mode', 'LOCKDOWN');
  expect(locked.out).toMatch(/bash +no +forbidden in this mode/);
  expect((await signalbox('tools', '--why', '--provider', 'opnai')).exit).toBe(2);
});

test('tools --why has the tool of every session, says that the filter is off, and leaves it out for agents', async () => {
  const providers = { codex: { api: 'agent' }, openai: { tools: ['read_file', 'bash'] } };
  const { signalbox } = createTestTerminal(ownWorkspace({ 'signalbox.yaml': JSON.stringify({ providers }) }));
  const { out } = await signalbox('tools', '--why', '--provider', 'openai');
  expect(out).toMatch(/compress_context +yes +\d+ +every session has it/);
  expect(out).toMatch(/read_file +yes +\d+ +allowed$/m);
  expect(out).toMatch(/write_file +no +not listed in providers\.<id>\.tools/);
  expect(out).toMatch(/^3 of \d+ tools offered/m);
  for (const argv of [['--why'], []])
    expect((await signalbox('tools', ...argv, '-p', 'codex')).out).not.toContain('compress_context');
});

test('tools --complexity scores the arguments of tools, the most complex first (S001-67)', async () => {
  const settings = { tools: { tafc: { complexity_threshold: 0.4 } } };
  const { signalbox } = createTestTerminal(ownWorkspace({ 'signalbox.yaml': JSON.stringify(settings) }));
  const Scored = z.object({
    threshold: z.number(),
    tools: z.array(z.object({ name: z.string(), score: z.number(), isComplex: z.boolean() })),
  });
  const { threshold, tools } = Scored.parse(
    JSON.parse((await signalbox('--json', 'tools', '--complexity')).out),
  );
  expect(threshold).toBe(0.4);
  expect(tools.map(({ score }) => score)).toEqual(tools.map(({ score }) => score).toSorted((a, b) => b - a));
  for (const { score, isComplex } of tools) expect(isComplex).toBe(score >= 0.4);
  // Built-in tools are simple on purpose: see docs/tools.md.
  expect(tools[0]?.score).toBeLessThan(0.5);
});
