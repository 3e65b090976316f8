import type { Effect } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { createPolicy } from '../governance/create-policy.ts';
import {
  BASH,
  PATH_CONTEXT,
  questionOf,
  settingsOf,
  write,
} from '../governance/testing/question-builders.ts';
import { lineQuestion, rule } from './testing/rule-questions.ts';

describe('a rule on files', () => {
  const touching = (effects: readonly Effect[], ruling: object) =>
    rule([{ id: 'x', ...ruling }], questionOf({ tool: BASH, level: 'safe', effects }));
  const deny = { deny: { path: 'release/**' } };

  test.for<[Effect, string]>([
    [write('release/a'), 'deny x'],
    [write('release'), 'deny x'],
    [write('releases/a'), 'allow safe-auto'],
    [{ kind: 'delete', path: 'release/sub', scope: 'tree' }, 'deny x'],
    [{ kind: 'write', path: '.', scope: 'tree' }, 'deny x'],
    [{ kind: 'write', path: 'src', scope: 'tree' }, 'allow safe-auto'],
    [{ kind: 'write', path: 'release/*.md', scope: 'glob' }, 'deny x'],
    [{ kind: 'write', path: 'src/*.md', scope: 'glob' }, 'allow safe-auto'],
    [{ kind: 'write', path: 'rel*/a', scope: 'glob' }, 'ask x'],
    [{ kind: 'write', path: '*/b/*.md', scope: 'glob' }, 'ask x'],
    [{ kind: 'secret', path: 'release/key' }, 'deny x'],
    [{ kind: 'write-unknown' }, 'ask x'],
    [{ kind: 'network' }, 'allow safe-auto'],
    [write('src/a'), 'allow safe-auto'],
  ])('%j: %s', ([effect, ruling]) => {
    expect(touching([effect], deny)).toBe(ruling);
  });

  test.for<[string, Effect, string]>([
    ['/tmp/**', write('/tmp/a'), 'deny x'],
    ['/tmp/a', { kind: 'delete', path: '/tmp', scope: 'tree' }, 'deny x'],
    ['/tmp/*.log', { kind: 'delete', path: '/tmp/a', scope: 'tree' }, 'ask x'],
    ['/tmp/**', { kind: 'secret', path: '/tmp/key' }, 'deny x'],
    ['/tmp/b', write('/tmp/a'), 'allow safe-auto'],
  ])('on %s matches a /tmp of the command’s own, %j: %s', ([path, effect, ruling]) => {
    const tool = { ...BASH, shellLine: () => ({ line: '' }) };
    const question = questionOf({ tool, level: 'safe', effects: [effect], ownFolders: ['/tmp'] });
    expect(rule([{ id: 'x', deny: { path } }], question)).toBe(ruling);
  });

  test('on a plain folder holds back the removal of a folder above it', () => {
    expect(touching([{ kind: 'delete', path: '.', scope: 'tree' }], { deny: { path: 'release' } })).toMatch(
      /^deny /,
    );
  });
});

describe('a rule on an effect and a path', () => {
  const of = (effect: string, effects: readonly Effect[], more: object = {}) =>
    rule(
      [{ id: 'x', deny: { effect, path: 'release/**' } }],
      questionOf({ tool: BASH, level: 'safe', effects, ...more }),
    );
  const read: Effect = { kind: 'read', path: 'release/a', scope: 'file' };
  const remove: Effect = { kind: 'delete', path: 'release/a', scope: 'file' };

  test('matches only that effect; writing means every change', () => {
    expect(of('write', [write('release/a')])).toBe('deny x');
    expect(of('write', [remove])).toBe('deny x');
    expect(of('delete', [write('release/a')])).toBe('allow safe-auto');
    expect(of('delete', [remove])).toBe('deny x');
    expect(of('write', [read])).toBe('allow safe-auto');
    expect(of('read', [read])).toBe('deny x');
    expect(of('write', [write('src/a')])).toBe('allow safe-auto');
    expect(of('write', [{ kind: 'write', path: 'rel*/a', scope: 'glob' }])).toBe('ask x');
  });

  test('asks about unknown writes when they are not checked before the commit', () => {
    const effects: readonly Effect[] = [{ kind: 'write-unknown' }];
    expect(of('write', effects)).toBe('ask x');
    expect(of('write', effects, { reversible: true })).toBe('allow safe-auto');
    expect(of('read', effects)).toBe('allow safe-auto');
  });

  test('allows nothing', () => {
    const rules = [{ id: 'x', deny: { effect: 'write', path: 'a' } }];
    const [parsed] = settingsOf({ rules }).rules;
    if (parsed === undefined) throw new Error('no rule');
    const allowing = createPolicy(
      { ...settingsOf({}), rules: [{ ...parsed, ruling: 'allow' }] },
      PATH_CONTEXT,
    );
    const question = questionOf({ tool: BASH, level: 'warning', effects: [write('a')] });
    expect(allowing.rule(question)).toMatchObject({ kind: 'ask' });
  });
});

describe('a rule on hosts', () => {
  test('asks when the host is unknown', () => {
    const rules = [{ id: 'x', deny: { effect: 'network', host: 'example.com' } }];
    const going = (effect: Effect) =>
      rule(rules, questionOf({ tool: BASH, level: 'safe', effects: [effect] }));
    expect(going({ kind: 'network' })).toBe('ask x');
    expect(going({ kind: 'network', host: 'API.example.com:443' })).toBe('deny x');
    expect(going({ kind: 'network', host: 'example.org' })).toBe('allow safe-auto');
  });
});

test('a pattern asks about a line that is too long to be searched', () => {
  const long = questionOf({ tool: BASH, level: 'safe', line: `echo ${'x'.repeat(17_000)}` });
  expect(rule([{ id: 'x', deny: { pattern: 'secret' } }], long)).toBe('ask x');
});

describe('in shadow', () => {
  const shadow = { policy: { mode: 'shadow' } };
  const rules = [
    { id: 'no-publish', deny: { program: 'npm', args: ['publish'] } },
    { id: 'touch', allow: { program: 'touch' } },
    { id: 'two-rm', ask: { program: 'rm' }, approvers: 2 },
  ];
  const ruling = (line: string) =>
    createPolicy(settingsOf({ ...shadow, rules }), PATH_CONTEXT).rule(lineQuestion(line));

  test('rules are reported and not enforced', () => {
    expect(ruling('npm publish')).toMatchObject({
      kind: 'ask',
      rule: 'dangerous-asks',
      reason: 'dangerous calls always need approval; in shadow: rule "no-publish" (settings) would deny',
    });
    expect(ruling('touch a')).toMatchObject({ kind: 'ask', rule: 'warning-asks' });
    expect(ruling('touch a').reason).toMatch(/; in shadow: rule "touch" \(settings\) would allow$/);
    expect(ruling('rm -rf dist')).toMatchObject({ kind: 'ask', rule: 'dangerous-asks', approvers: 1 });
    expect(ruling('rm -rf dist').reason).toMatch(
      /; in shadow: rule "two-rm" \(settings\) would ask 2 people$/,
    );
    expect(ruling('ls').reason).toBe('safe calls run without approval');
  });

  test('is another policy: an approval given under it does not count when rules are enforced', () => {
    const version = (more: object) => createPolicy(settingsOf({ ...more, rules }), PATH_CONTEXT).version;
    expect(version(shadow)).not.toBe(version({}));
  });
});

describe('a rule on files', () => {
  const elsewhere: Effect = { kind: 'read', path: '/etc/hosts', scope: 'file' };
  const rules = (ruling: object) =>
    createPolicy(settingsOf({ rules: [{ id: 'x', ...ruling }] }), PATH_CONTEXT).rules;
  const hit = (ruling: object, effects: readonly Effect[], changes = {}) =>
    rules(ruling).hits(questionOf({ level: 'warning', effects, ...changes }))[0]?.hit;

  test('matches no path outside the workspace', () => {
    expect(hit({ deny: { path: '**' } }, [elsewhere])).toBe('no');
    expect(hit({ allow: { tool: 'write_file', path: '**' } }, [elsewhere])).toBe('no');
  });

  test('that holds back is not certain about the content of a folder or a pattern', () => {
    const deny = { deny: { path: '**/*.key' } };
    expect(hit(deny, [{ kind: 'write', path: 'src', scope: 'tree' }])).toBe('maybe');
    expect(hit({ deny: { path: 'src/a' } }, [{ kind: 'write', path: 's*/a', scope: 'glob' }])).toBe('yes');
    expect(hit(deny, [{ kind: 'write', path: 'src', scope: 'glob' }])).toBe('maybe');
    expect(hit({ deny: { path: 'docs/**' } }, [{ kind: 'write', path: 'src', scope: 'tree' }])).toBe('no');
  });

  test('that allows matches single files and folders, never patterns or anything else', () => {
    const allow = { allow: { tool: 'write_file', path: 'docs/**' } };
    expect(hit(allow, [write('docs/a')])).toBe('yes');
    expect(hit(allow, [{ kind: 'write', path: 'docs/b', scope: 'tree' }])).toBe('yes');
    expect(hit(allow, [{ kind: 'write', path: 'docs/*', scope: 'glob' }])).toBe('no');
    expect(hit(allow, [{ kind: 'network' }])).toBe('no');
    expect(hit(allow, [write('docs/a')], { line: 'touch docs/a' })).toBe('no');
    expect(hit(allow, [])).toBe('no');
    expect(hit(allow, [write('docs/a')], { tool: BASH })).toBe('no');
  });
});

describe('without a given line', () => {
  const { line: _line, ...rest } = questionOf({
    tool: { ...BASH, shellLine: () => ({ line: 'x' }) } as typeof BASH,
  });
  test.for([{ line: 'npm test' }, { pattern: 'npm' }, { program: 'npm' }])('%j may match', (matcher) => {
    const { rules } = createPolicy(settingsOf({ rules: [{ id: 'x', deny: matcher }] }), PATH_CONTEXT);
    expect(rules.hits(rest)).toMatchObject([{ hit: 'maybe' }]);
    expect(rules.holdsBack(rest)).toMatchObject({ kind: 'ask', rule: 'x' });
  });
});

test('a pattern is not searched in a line of over 16 KiB: it may match', () => {
  const policy = createPolicy(settingsOf({ rules: [{ id: 'x', deny: { pattern: 'b' } }] }), PATH_CONTEXT);
  const hit = (line: string) => policy.rules.hits(lineQuestion(line))[0]?.hit;
  expect([hit(`echo ${'a'.repeat(16_384)}`), hit('echo a'), hit('echo b')]).toEqual(['maybe', 'no', 'yes']);
});

test('a rule on lines or on other effects does not match a call without them', () => {
  const hit = (matcher: object, effects: readonly Effect[] = []) =>
    createPolicy(settingsOf({ rules: [{ id: 'x', deny: matcher }] }), PATH_CONTEXT).rules.hits(
      questionOf({ effects }),
    )[0]?.hit;
  expect([hit({ pattern: 'a' }), hit({ line: 'a' }), hit({ program: 'a' })]).toEqual(['no', 'no', 'no']);
  expect(hit({ effect: 'delete' }, [write('a')])).toBe('no');
  expect(hit({ effect: 'write' }, [write('a')])).toBe('yes');
  expect(hit({ effect: 'network' }, [{ kind: 'network' }])).toBe('yes');
});
