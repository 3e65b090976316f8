import { expect, test } from 'vitest';
import { mergeLayers } from './merge-layers.ts';
import { getIn, setIn } from '../keys/settings-path.ts';

test('each of several shared files only tightens the one before', () => {
  const layer = (source: string, value: unknown) => ({ kind: 'workspace' as const, source, value });
  const merged = mergeLayers([
    layer('a.yaml', { approval: { approval_mode: 'prompt' }, budget: 2 }),
    layer('b.yaml', { approval: { approval_mode: 'auto', deny_dangerous: true }, budget: 1 }),
  ]);
  expect(merged).toMatchObject({
    settings: { approval: { approval_mode: 'prompt', deny_dangerous: true }, budget: 1 },
    notes: [{ source: 'b.yaml', path: ['approval', 'approval_mode'] }],
  });
});

test("the machine's or a tool's own bound also limits a shared file where no file sets one (R-B5)", () => {
  const limits = (max_memory_mb: number, timeout: string) => ({
    sandbox: { resource_limits: { max_memory_mb } },
    tools: { bash: { timeout } },
  });
  const bounds = new Map([
    ['sandbox.resource_limits.max_memory_mb', 2048],
    ['tools.bash.timeout', 60_000],
  ]);
  const of = (value: unknown) => {
    const merged = mergeLayers([{ kind: 'workspace', source: 'a.yaml', value }], { bounds });
    if (merged.kind === 'invalid') throw new Error(JSON.stringify(merged.problems));
    const { sandbox, tools } = merged.settings;
    return [sandbox.resource_limits.max_memory_mb, tools.policies['bash']?.timeout, merged.notes.length];
  };
  expect(of(limits(1024, '10s'))).toEqual([1024, 10_000, 0]);
  expect(of(limits(4096, '2m'))).toEqual([null, undefined, 2]);
});

test.for([
  ['approval.prompt_on_warning', false, true, true],
  ['approval.prompt_on_warning', undefined, true, true],
  ['sandbox.resource_limits.timeout_ms', '1m', '5m', 60_000],
  ['sandbox.resource_limits.timeout_ms', undefined, '9h', 300_000],
  ['sandbox.resource_limits.max_file_mb', undefined, 9999, 1024],
  ['sandbox.resource_limits.max_file_mb', undefined, 10, 10],
  ['providers.openai.sandbox.resource_limits.max_memory_mb', 1024, 4096, 1024],
] as const)('%s: yours %j, shared %j → %j', ([key, own, shared, expected]) => {
  const path = key.split('.');
  const layers = [
    { kind: 'user' as const, source: 'user', value: setIn({}, path, { next: own }) },
    { kind: 'workspace' as const, source: 'shared', value: setIn({}, path, { next: shared }) },
  ];
  const merged = mergeLayers(layers);
  expect(merged.kind === 'ok' && getIn(merged.settings, path)).toEqual(expected);
});
