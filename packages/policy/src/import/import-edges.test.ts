import { describe, expect, test } from 'vitest';
import { importClaudeCode } from './import-claude-code.ts';
import { importCodex } from './import-codex.ts';
import { importGemini } from './import-gemini.ts';
import type { Imported } from './imported.ts';

function reported({ rules, skipped }: Imported): readonly unknown[] {
  return [...rules.map(({ id: _id, ...rule }) => rule), ...skipped.map(({ rule, why }) => `${rule}: ${why}`)];
}

describe('a permission of Claude Code', () => {
  test.for<[ruling: string, written: string, becomes: unknown]>([
    ['deny', 'not a tool!', 'not a tool!: no tool here is called "not a tool!"'],
    ['deny', 'Bash(npm * --force)', { deny: { program: 'npm', args: ['**', '--force'] } }],
    ['deny', 'Bash(echo $X)', 'Bash(echo $X): is not a single program with its arguments'],
    ['deny', 'Bash(rm a?.txt)', 'Bash(rm a?.txt): is not a single program with its arguments'],
    ['deny', 'Bash(>/dev/null)', 'Bash(>/dev/null): is not a single program with its arguments'],
    ['deny', 'Bash($X a)', 'Bash($X a): is not a single program with its arguments'],
    ['allow', 'Bash(make:*)', { allow: { program: 'make' } }],
    ['allow', 'Read(src/**)', { allow: { tool: 'read_file', path: 'src/**' } }],
    ['deny', 'Read(~/.ssh/**)', { deny: { path: '~/.ssh/**' } }],
    ['deny', 'Read(/!a)', expect.stringContaining('Read(/!a): must be a path or a glob')],
    ['deny', 'Bash(npm * x:*)', { deny: { program: 'npm', args: ['**', 'x'] } }],
    ['deny', 'WebFetch', { deny: { effect: 'network' } }],
    ['ask', 'WebFetch(example)', 'WebFetch(example): is not a host name'],
  ])('%s %s', ([ruling, written, becomes]) => {
    expect(reported(importClaudeCode({ permissions: { [ruling]: [written] } }))).toEqual([becomes]);
  });

  test('that repeats another becomes a rule with another name', () => {
    const { rules } = importClaudeCode({
      permissions: { deny: ['Bash(a b)', 'Bash(a:*)', 'Bash(a-b)', 'Bash(a b)'] },
    });
    expect(rules.map(({ id }) => id)).toEqual(['deny-a-b', 'deny-a', 'deny-a-b-2', 'deny-a-b-3']);
  });
});

describe('a rule of Codex', () => {
  const ways = '["a", "b", "c", "d", "e", "f", "g", "h"]';
  const unread = 'has a pattern that is not a list of words, or has too many';
  test.for<[written: string, becomes: readonly unknown[]]>([
    ['pattern = ["x"], match = ["x"]', [{ allow: { program: 'x' }, examples: { match: ['x'] } }]],
    ['pattern = ["x"], not_match = ["y"]', [{ allow: { program: 'x' }, examples: { not_match: ['y'] } }]],
    ['pattern = ["x"], match = "x"', [{ allow: { program: 'x' } }]],
    [
      'pattern = ["x"], match = ["y"]',
      [{ allow: { program: 'x' } }, expect.stringContaining('its example "y"')],
    ],
    ['pattern = [["x", "y"]]', [{ allow: { program: 'x' } }, { allow: { program: 'y' } }]],
    [
      'pattern = ["x", ["y", "z"]], match = ["x y", "x z 1", "w"], not_match = ["x"]',
      [
        { allow: { program: 'x', args: ['y', '**'] }, examples: { match: ['x y'], not_match: ['x'] } },
        { allow: { program: 'x', args: ['z', '**'] }, examples: { match: ['x z 1'], not_match: ['x'] } },
        expect.stringContaining('its example "w" (match) fails here and was left out'),
      ],
    ],
    [
      'pattern = [["x y", "z"]], match = ["z"]',
      [
        { allow: { program: 'z' }, examples: { match: ['z'] } },
        expect.stringContaining('must be the name of one program'),
      ],
    ],
    ['pattern = "x"', [expect.stringContaining(unread)]],
    ['pattern = [[], "x"]', [expect.stringContaining(unread)]],
    ['pattern = ["x", []]', [expect.stringContaining(unread)]],
    ['pattern = ["x", [["y"], "z"]]', [expect.stringContaining(unread)]],
    [`pattern = [${ways}, ${ways}]`, [expect.stringContaining(unread)]],
    ['pattern = ["x y"]', [expect.stringContaining('must be the name of one program')]],
    ['pattern = ["\\\\(\\n"]', [expect.stringContaining('must be the name of one program')]],
  ])('with %s', ([written, becomes]) => {
    expect(reported(importCodex(`prefix_rule(${written})`))).toEqual(becomes);
  });

  test.for([
    'prefix_rule("x")',
    'prefix_rule(pattern)',
    'prefix_rule(pattern = ["x" "y"])',
    'prefix_rule(pattern = ["x"] match = ["x"])',
    'prefix_rule(pattern = ["x", y])',
    'prefix_rule(pattern = ["x"',
    'prefix_rule(pattern = ["x", # never closed',
  ])('that is not literal is reported, not guessed: %s', (written) => {
    expect(importCodex(written)).toMatchObject({
      rules: [],
      skipped: [{ why: 'is not a literal: only strings and lists can be imported' }],
    });
  });

  test('is abbreviated in reports when it is long', () => {
    const [skipped] = importCodex(`other(name = "${'x'.repeat(200)}")`).skipped;
    expect(skipped?.rule).toMatch(/^other\(name = "x+…$/);
  });

  test('may be written with triple quotes, escapes and comments at the end', () => {
    const text = `prefix_rule( # not yet )
 pattern = ["""x""", 'a\\tb', "c\\"d"], decision = "forbidden") # the end`;
    expect(reported(importCodex(text))).toEqual([{ deny: { program: 'x', args: ['a\tb', 'c"d'] } }]);
  });
});

describe('a rule of Gemini', () => {
  test('that names every tool, or tools by a star, is reported', () => {
    const { rules, skipped } = importGemini({
      rule: [
        { decision: 'deny' },
        { toolName: 'mcp_*', decision: 'deny' },
        { toolName: 'x', commandPrefix: 'a && b', decision: 'deny' },
      ],
    });
    expect(rules).toEqual([]);
    expect(skipped.map(({ why }) => why)).toEqual([
      'matches every tool; no rule can do that here',
      'no tool here is called "mcp_*"',
      '"a && b" is not a single program with its arguments',
    ]);
  });

  test('is reported as missing in a file that has none', () => {
    for (const file of [{}, 'x', { rule: 'x' }])
      expect(importGemini(file)).toEqual({ rules: [], skipped: [{ rule: 'the file', why: 'has no rules' }] });
  });
});
