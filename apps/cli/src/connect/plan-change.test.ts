import * as fc from 'fast-check';
import { parse as parseToml } from 'smol-toml';
import { expect, test } from 'vitest';
import { AGENT_IDS, agentOf } from './agents.ts';
import { changedText } from './plan-change.ts';

const STARTER = { command: 'signalbox', args: [] };
const files = AGENT_IDS.flatMap((id) => agentOf(id, STARTER).files);
const jsonFiles = files.filter((file) => file.kind === 'json');
const codex = files.find((file) => file.kind === 'toml');

test('what stood in an agent’s settings stands there afterwards, and a second time changes nothing', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...jsonFiles),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (file, present) => {
        const before = JSON.stringify(present);
        const after = changedText(file, before);
        const parsed = JSON.parse(after) as Record<string, unknown>;
        const kept = Object.fromEntries(Object.entries(parsed).filter(([key]) => !(key in file.content)));
        const others = Object.entries(JSON.parse(before) as object).filter(([key]) => !(key in file.content));
        expect(kept).toEqual(Object.fromEntries(others));
        expect(changedText(file, after)).toBe(after);
      },
    ),
  );
});

test('servers and permissions of before are kept beside ours', () => {
  const [mcp, settings] = agentOf('claude-code', STARTER).files;
  const servers = JSON.parse(changedText(mcp as never, '{"mcpServers":{"other":{"command":"x"}}}')) as object;
  expect(servers).toMatchObject({
    mcpServers: { other: { command: 'x' }, signalbox: { command: 'signalbox' } },
  });
  const permissions = changedText(settings as never, '{"permissions":{"deny":["Read(./secret)","Bash"]}}');
  expect(
    (JSON.parse(permissions) as { permissions: { deny: string[] } }).permissions.deny.slice(0, 3),
  ).toEqual(['Read(./secret)', 'Bash', 'Edit']);
});

test('a file with comments is left alone, and what to put into it is said', () => {
  const [file] = jsonFiles;
  expect(() => changedText(file as never, '{ // mine\n}')).toThrow(/not plain JSON/);
});

test('tables are appended to TOML; one that stands there is never written twice', () => {
  const file = codex as never;
  const after = changedText(file, '# mine\nmodel = "gpt"\n');
  expect(after).toMatch(/^# mine\nmodel = "gpt"\n/);
  expect(parseToml(after)).toMatchObject({
    model: 'gpt',
    mcp_servers: { signalbox: { command: 'signalbox' } },
  });
  expect(changedText(file, after)).toBe(after);
  expect(() => changedText(file, '[features]\nshell_tool = true\n')).toThrow(/\[features\] already/);
  expect(() => changedText(file, 'no toml at all')).toThrow(/not valid TOML/);
});
