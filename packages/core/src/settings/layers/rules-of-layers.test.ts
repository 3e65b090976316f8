import { describe, expect, test } from 'vitest';
import { mergeLayers } from './merge-layers.ts';
import { parseSettings } from '../parse-settings.ts';

const allowInstall = { id: 'install', allow: { program: 'npm', args: ['install'] } };
const denyPublish = {
  id: 'no-publish',
  deny: { program: 'npm', args: ['publish'] },
  because: 'CI publishes',
};

function problemsOf(rules: unknown): readonly string[] {
  const parsed = parseSettings({ rules });
  return parsed.kind === 'ok'
    ? []
    : parsed.problems.map(({ path, message }) => `${path.join('.')} ${message}`);
}

describe('rules of settings', () => {
  test('keep their author and position, and none replaces another', () => {
    const merged = mergeLayers([
      { kind: 'user', source: 'config.yaml', value: { rules: [denyPublish] }, lineOf: () => 2 },
      { kind: 'workspace', source: 'signalbox.yaml', value: { rules: [denyPublish] }, lineOf: () => 7 },
      { kind: 'local', source: 'local.yaml', value: { rules: [allowInstall] } },
    ]);
    const rules = merged.kind === 'ok' ? merged.settings.rules : [];
    expect(rules.map(({ id, layer, source }) => [id, layer, source])).toEqual([
      ['no-publish', 'user', 'config.yaml:2'],
      ['no-publish', 'workspace', 'signalbox.yaml:7'],
      ['install', 'local', 'local.yaml'],
    ]);
  });

  test('an allow rule of a shared file has no effect until a local user trusts it, a deny has', () => {
    const shared = {
      kind: 'workspace',
      source: 'signalbox.yaml',
      value: { rules: [allowInstall, denyPublish] },
    } as const;
    const merged = mergeLayers([shared]);
    expect(merged).toMatchObject({
      kind: 'ok',
      settings: { rules: [{ isTrusted: false }, { isTrusted: true }] },
      notes: [{ path: ['rules', 0], source: 'signalbox.yaml' }],
    });
    expect(merged.kind === 'ok' && merged.notes[0]?.message).toMatch(/^untrusted-rules: .*"install"/);
    const trusted = mergeLayers([shared], { isTrusted: ({ id }) => id === 'install' });
    expect(trusted).toMatchObject({ settings: { rules: [{ isTrusted: true }, {}] }, notes: [] });
  });

  test('your own allow rule needs no trust', () => {
    const merged = mergeLayers([{ kind: 'local', source: 'local.yaml', value: { rules: [allowInstall] } }]);
    expect(merged).toMatchObject({ kind: 'ok', settings: { rules: [{ isTrusted: true }] }, notes: [] });
  });

  test('an expiry is a day, to its end, or an instant', () => {
    const endOf = (expires: unknown) => {
      const parsed = parseSettings({ rules: [{ ...denyPublish, expires }] });
      return parsed.kind === 'ok' ? parsed.settings.rules[0]?.endsAt : 'invalid';
    };
    expect(endOf('2026-12-31')).toBe(Date.parse('2027-01-01T00:00:00Z'));
    expect(endOf('2026-12-31T12:00:00Z')).toBe(Date.parse('2026-12-31T12:00:00Z'));
    for (const wrong of ['2026-02-31', 'tomorrow', '31.12.2026', '', 5]) expect(endOf(wrong)).toBe('invalid');
  });

  test.for([
    [[{ id: 'a' }], '0 must have exactly one of allow, ask and deny'],
    [
      [{ id: 'a', ask: { line: 'x' }, deny: { line: 'x' } }],
      '0 must have exactly one of allow, ask and deny',
    ],
    [
      [{ id: 'a', deny: { program: 'a', line: 'b' } }],
      '0.deny must have exactly one of program, line, pattern, tool, path or effect; a path goes together with tool or effect',
    ],
    [[{ id: 'a', deny: { args: ['x'], line: 'b' } }], '0.deny has args, but no program'],
    [
      [{ id: 'a', deny: { effect: 'delete', host: 'example.com' } }],
      '0.deny has a host, but not effect: network',
    ],
    [
      [{ id: 'a', deny: { program: 'npm publish' } }],
      '0.deny.program must be the name of one program, without arguments',
    ],
    [
      [{ id: 'a', allow: { pattern: '^npm' } }],
      '0.allow cannot allow by a pattern, since text does not identify a program; use program and args, or line',
    ],
    [
      [{ id: 'a', allow: { effect: 'network' } }],
      '0.allow cannot allow by an effect: name the program and its args, or the line',
    ],
    [
      [{ id: 'a', allow: { tool: 'bash' } }],
      '0.allow needs a path: to allow a whole tool, use auto_approve_tools',
    ],
    [[denyPublish, denyPublish], '1.id "no-publish" names another rule already'],
  ] as const)('are refused when they are unclear: %j', ([rules, problem]) => {
    expect(problemsOf(rules)).toEqual([`rules.${problem}`]);
  });

  test('a misspelt key of a rule is refused', () => {
    expect(parseSettings({ rules: [{ id: 'a', deny: { programm: 'x' } }] })).toMatchObject({
      kind: 'invalid',
      problems: [
        { path: ['rules', 0, 'deny', 'programm'], message: 'unknown key "programm"', didYouMean: 'program' },
      ],
    });
  });
});

test('a shared file can’t shadow your rules', () => {
  const of = (kind: 'workspace' | 'local', mode: string) =>
    ({ kind, source: kind, value: { policy: { mode } } }) as const;
  const mode = (...layers: Parameters<typeof mergeLayers>[0]) => {
    const merged = mergeLayers(layers);
    return merged.kind === 'ok' ? merged.settings.policy.mode : 'invalid';
  };
  expect(mode(of('workspace', 'shadow'))).toBe('enforce');
  expect(mode(of('local', 'shadow'))).toBe('shadow');
  expect(mode(of('workspace', 'enforce'), of('local', 'shadow'))).toBe('enforce');
});

describe('rules below tools.authorization', () => {
  const list = (kind: 'user' | 'workspace' | 'local', authorization: object) => ({
    kind,
    source: kind,
    value: { tools: { authorization } },
    lineOf: (path: readonly (string | number)[]) => (path.length === 4 ? 7 : null),
  });
  const idsOf = (...layers: Parameters<typeof mergeLayers>[0]) => {
    const merged = mergeLayers(layers);
    return merged.kind === 'ok' ? merged.settings.rules.map(({ id, source }) => `${id} ${source}`) : merged;
  };
  const rules = [denyPublish];

  test('follow the others, with their file and line', () => {
    const on = { enabled: true, rules };
    expect(
      idsOf({ ...list('user', on), value: { rules: [allowInstall], tools: { authorization: on } } }),
    ).toEqual(['install user', 'no-publish user:7']);
  });

  test('have an effect where your files enable them; the last of your files decides', () => {
    expect(idsOf(list('user', { rules }))).toEqual([]);
    expect(idsOf(list('user', { rules }), list('local', { enabled: true }))).toEqual(['no-publish user:7']);
    expect(idsOf(list('user', { rules, enabled: true }), list('local', { enabled: false }))).toEqual([]);
  });

  test('of a shared file have an effect when it says so itself, and it neither enables nor disables yours', () => {
    expect(idsOf(list('user', { rules }), list('workspace', { enabled: true }))).toEqual([]);
    expect(
      idsOf(list('user', { rules, enabled: true }), list('workspace', { enabled: false, rules })),
    ).toEqual(['no-publish user:7']);
    expect(idsOf(list('workspace', { enabled: true, rules }), list('local', { enabled: false }))).toEqual([
      'no-publish workspace:7',
    ]);
  });

  test('are refused like others when they are invalid', () => {
    expect(
      parseSettings({ tools: { authorization: { rules: [{ id: 'a', deny: { programm: 'x' } }] } } }),
    ).toMatchObject({
      problems: [{ path: ['tools', 'authorization', 'rules', 0, 'deny', 'programm'], didYouMean: 'program' }],
    });
  });
});
