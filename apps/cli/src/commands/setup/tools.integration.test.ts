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
  const openai = all.filter((name) => ['read_file', 'write_file'].includes(name) || name.startsWith('git_'));
  expect(openai.length).toBeGreaterThan(3);
  expect(await namesOf('--provider', 'openai')).toEqual(openai);
  // Tools for tests are offered to providers that declare them.
  const forTests = new Set(['echo', 'failing_tool']);
  expect(await namesOf('--provider', 'anthropic')).toEqual(all.filter((name) => !forTests.has(name)));
  const locked = await namesOf('--provider', 'openai', '--mode', 'LOCKDOWN');
  expect(locked).toContain('read_file');
  expect(locked).not.toContain('write_file');
  await signalbox('exec', '--', 'true');
  await signalbox('mode', 'LOCKDOWN', '-m', 'strange pushes');
  expect(await namesOf('--provider', 'openai')).toEqual(locked);
});
