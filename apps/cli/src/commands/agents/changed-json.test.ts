import * as fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { AGENT_IDS, agentOf } from './agents.ts';
import { changedJson } from './changed-json.ts';

const FILES = AGENT_IDS.flatMap((id) => agentOf(id, { kind: 'stdio', command: 'signalbox', args: [] }).files);
const WANTED = FILES.flatMap((file) => (file.kind === 'json' ? [file.content] : []));

test('an agent’s settings keep their content, and a second run changes nothing', () => {
  const present = fc.dictionary(fc.string(), fc.jsonValue());
  const layouts = fc.constantFrom(undefined, 2, '\t');
  fc.assert(
    fc.property(fc.constantFrom(...WANTED), present, layouts, (wanted, before, layout) => {
      const after = changedJson('x', JSON.stringify(before, null, layout), wanted);
      const others = (all: object) =>
        Object.fromEntries(Object.entries(all).filter(([key]) => !(key in wanted)));
      expect(others(JSON.parse(after) as object)).toEqual(
        others(JSON.parse(JSON.stringify(before)) as object),
      );
      expect(changedJson('x', after, wanted)).toBe(after);
    }),
  );
});

test('existing servers and permissions are kept next to ours', () => {
  const servers = '{"mcpServers":{"other":{"command":"x"}}}';
  expect(JSON.parse(changedJson('x', servers, { mcpServers: { signalbox: { command: 's' } } }))).toEqual({
    mcpServers: { other: { command: 'x' }, signalbox: { command: 's' } },
  });
  const denied = '{"permissions":{"deny":["Read(./secret)","Bash"]}}';
  expect(JSON.parse(changedJson('x', denied, { permissions: { deny: ['Edit', 'Bash', 'Write'] } }))).toEqual({
    permissions: { deny: ['Edit', 'Write', 'Read(./secret)', 'Bash'] },
  });
});

test('a command line is replaced as a whole', () => {
  const before = '{"signalbox":{"args":["mcp","--provider","old"]}}';
  const wanted = { signalbox: { args: ['mcp', '--provider', 'new'] } };
  expect(JSON.parse(changedJson('x', before, wanted))).toEqual(wanted);
});

test('comments, order, indentation and trailing commas are preserved', () => {
  const before = [
    '{',
    '\t// mine',
    '\t"servers": {',
    '\t\t"other": { "command": "x" }, // and this',
    '\t},',
    '}',
    '',
  ].join('\n');
  const after = changedJson('x', before, { servers: { signalbox: { command: 's' } } });
  for (const line of before.split('\n')) expect(after).toContain(line);
  expect(after).toContain('\n\t\t"signalbox": {\n\t\t\t"command": "s"\n\t\t}');
  expect(parse(after)).toEqual({ servers: { other: { command: 'x' }, signalbox: { command: 's' } } });
});

test.for([
  ['{ "a": ', /not valid JSON/],
  ['[]', /not a JSON object/],
  ['{ "a": { "b": 1 }, "a": {} }', /duplicate key/],
] as const)('a file that can’t be changed without loss is left alone: %s', ([before, why]) => {
  const change = () => changedJson('x.json', before, { a: { b: 2 } });
  expect(change).toThrow(why);
  expect(change).toThrow(expect.objectContaining({ next: expect.arrayContaining(['    "b": 2']) }));
});
