import * as fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { expect, test } from 'vitest';
import { agentOf } from './agents.ts';
import { changedToml } from './changed-toml.ts';

const CODEX = agentOf('codex', { kind: 'stdio', command: 'signalbox', args: [] }).files.flatMap((file) =>
  file.kind === 'toml' ? file.content : [],
);

const key = fc.stringMatching(/^[a-z_]{1,8}$/);
const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string()));
const document = fc.dictionary(key, fc.oneof(scalar, fc.dictionary(key, scalar)));

test('the settings keep their content, and a second run changes nothing', () => {
  const features = fc.record({ shell_tool: fc.boolean(), others: fc.boolean() }, { requiredKeys: [] });
  fc.assert(
    fc.property(document, features, (before, own) => {
      const present = { ...before, features: own };
      const after = changedToml('x', stringify(present), { wanted: CODEX });
      expect(parse(after)).toMatchObject({
        ...present,
        features: { ...own, shell_tool: false, unified_exec: false },
        mcp_servers: { signalbox: { command: 'signalbox' } },
      });
      expect(changedToml('x', after, { wanted: CODEX })).toBe(after);
    }),
  );
});

test('comments and layout are preserved, and new values are added to their table', () => {
  const before = [
    '# mine',
    'model = "gpt"',
    '',
    '[features] # and this',
    'shell_tool = true # why',
    '',
    '# others',
    '[[hooks]]',
    'a = [',
    '  1,',
    ']',
    '',
  ].join('\n');
  const wanted = [
    { name: '', values: { sandbox_mode: 'read-only' } },
    { name: 'features', values: { shell_tool: false, unified_exec: false } },
    { name: 'mcp_servers.signalbox', values: { command: 'signalbox' } },
  ];
  expect(changedToml('x', before, { wanted }).split('\n')).toEqual([
    'sandbox_mode = "read-only"',
    '',
    '# mine',
    'model = "gpt"',
    '',
    '[features] # and this',
    'unified_exec = false',
    'shell_tool = false # why',
    '',
    '# others',
    '[[hooks]]',
    'a = [',
    '  1,',
    ']',
    '',
    '[mcp_servers.signalbox]',
    'command = "signalbox"',
    '',
  ]);
});

test.for([
  ['no toml at all', /not valid TOML/],
  ['features = { shell_tool = true }\n', /in an unsupported way/],
  ['features.shell_tool = true\n', /in an unsupported way/],
  ['mcp_servers = 3\n', /in an unsupported way/],
  ['[features]\nshell_tool = """\nyes\n"""\n', /in an unsupported way/],
] as const)('a file that can’t be changed without loss is left alone: %s', ([before, why]) => {
  const change = () => changedToml('x.toml', before, { wanted: CODEX });
  expect(change).toThrow(why);
  expect(change).toThrow(
    expect.objectContaining({ next: expect.arrayContaining(['[features]', 'shell_tool = false']) }),
  );
});
