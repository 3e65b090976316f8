import { ALL_MODES, type Mode, type Phase, type Tool } from '@signalbox/core';
import { expect, test } from 'vitest';
import { isOffered } from './mode-gate.ts';
import { settingsOf, toolOf } from './testing/question-builders.ts';

function offered(
  options: {
    readonly tool?: Partial<Tool>;
    readonly mode?: Mode;
    readonly declared?: readonly string[] | null;
    readonly phase?: Phase;
    readonly settings?: unknown;
  } = {},
): boolean {
  const { tool = {}, mode = 'NORMAL', declared = null, phase, settings = {} } = options;
  return isOffered(toolOf(tool) as Tool, { mode, declared, phase }, settingsOf(settings));
}

test('a tool is offered to a provider without a list, and to one that lists it (S002-42)', () => {
  expect(offered()).toBe(true);
  expect(offered({ declared: ['write_file'] })).toBe(true);
  expect(offered({ declared: ['read_file'] })).toBe(false);
  expect(offered({ settings: { agents: { tool_execution: { enabled: false } } } })).toBe(false);
});

test('a tool for tests is offered only to providers that list it', () => {
  const tool = { name: 'echo', offered: 'declared' } as const;
  expect(offered({ tool })).toBe(false);
  expect(offered({ tool, declared: ['echo'] })).toBe(true);
});

test('a tool that finds others is offered only while the filter leaves some out', () => {
  const tool = { name: 'find_tools', offered: 'filtered' } as const;
  expect(offered({ tool })).toBe(false);
  expect(offered({ tool, settings: { agent: { tool_filter: { enabled: true } } } })).toBe(true);
});

test('a tool is offered in the modes that its definition and the settings allow (S000-34)', () => {
  const within = (mode: Mode, policy: object): boolean =>
    offered({ mode, settings: { tools: { write_file: policy } } });
  expect(offered({ tool: { allowedModes: ['NORMAL'] }, mode: 'ALERT' })).toBe(false);
  expect(within('NORMAL', { forbidden_in_modes: ['NORMAL'] })).toBe(false);
  expect(within('ALERT', { forbidden_in_modes: ['NORMAL'] })).toBe(true);
  expect(within('ALERT', { allowed_in_modes: ['NORMAL'] })).toBe(false);
  expect(within('NORMAL', { allowed_in_modes: ['NORMAL'] })).toBe(true);
  expect(within('ALERT', { allowed_in_modes: ['NORMAL'], requires_approval_in_modes: ['ALERT'] })).toBe(true);
});

test('LOCKDOWN offers tools that only read', () => {
  const allowedModes = ALL_MODES;
  expect(offered({ mode: 'LOCKDOWN', tool: { allowedModes } })).toBe(false);
  expect(offered({ mode: 'LOCKDOWN', tool: { allowedModes, category: 'read_only' } })).toBe(true);
  expect(offered({ mode: 'LOCKDOWN', tool: { allowedModes, category: 'internal' } })).toBe(true);
});

test('the autonomous phase is offered internal tools only, all others as without one (X-27, S001-122)', () => {
  const internal = { category: 'internal' } as const;
  expect(offered({ phase: 'autonomous' })).toBe(false);
  expect(offered({ phase: 'autonomous', tool: internal })).toBe(true);
  for (const phase of ['planner', 'executor', 'verifier'] as const) expect(offered({ phase })).toBe(true);
});
