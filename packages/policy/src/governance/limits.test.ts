import { mergeLayers } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { createPolicy } from './create-policy.ts';
import { PATH_CONTEXT, policyOf, questionOf, toolOf, write } from './testing/question-builders.ts';

describe('limits()', () => {
  test('takes the lower rate of tool and settings, then the quota of the session (Q1, Q2, X-35)', () => {
    const policy = policyOf({
      tools: { max_tool_calls_per_session: 100, 'file.write': { rate_limit_per_hour: 5 } },
    });
    expect(policy.limits(questionOf({ tool: toolOf({ rateLimitPerHour: 50 }) }))).toEqual([
      { key: 'tool:write_file:hour', limit: 5, windowMs: 3_600_000 },
      { key: 'session:ses_abcdefghjkmn:calls', limit: 100, windowMs: null },
    ]);
    expect(policyOf().limits(questionOf({ tool: toolOf({ rateLimitPerHour: 50 }) }))).toEqual([
      { key: 'tool:write_file:hour', limit: 50, windowMs: 3_600_000 },
    ]);
  });

  test('takes the rate of the provider between them, for any tool (Q3)', () => {
    const policy = policyOf({
      tools: { max_tool_calls_per_session: 9, write_file: { rate_limit_per_hour: 5 } },
      providers: { openai: { rate_limit_per_hour: 7 }, deepseek: { rate_limit_per_hour: 1 } },
    });
    expect(policy.limits(questionOf()).map(({ key, limit }) => [key, limit])).toEqual([
      ['tool:write_file:hour', 5],
      ['provider:openai:hour', 7],
      ['session:ses_abcdefghjkmn:calls', 9],
    ]);
  });

  test('counts a change once for the tool of its effect, in any tool or line', () => {
    const policy = policyOf({ tools: { write_file: { rate_limit_per_hour: 5 } } });
    const effects = [write('a')];
    for (const tool of [toolOf(), toolOf({ name: 'save_note', aliases: [] })])
      expect(policy.limits(questionOf({ tool, effects })).map(({ key, limit }) => [key, limit])).toEqual([
        ['tool:write_file:hour', 5],
      ]);
    const fetching = toolOf({ name: 'fetch_url', aliases: [], rateLimitPerHour: 3 });
    const reached = [{ kind: 'network', host: 'example.org' }] as const;
    expect(policyOf().limits(questionOf({ tool: fetching, effects: reached }))).toEqual([
      { key: 'tool:fetch_url:hour', limit: 3, windowMs: 3_600_000 },
    ]);
  });

  test('an edit counts as a write, whatever a shared file says about edits alone (Q1)', () => {
    const tool = toolOf({ name: 'edit_file', aliases: ['file.edit'] });
    const own = {
      kind: 'local',
      source: 'local.yaml',
      value: { tools: { write_file: { rate_limit_per_hour: 5 } } },
    } as const;
    for (const [edit_file, rate] of [
      [{ forbidden_in_modes: ['LOCKDOWN'] }, 5],
      [{ rate_limit_per_hour: 3 }, 3],
    ] as const) {
      const shared = {
        kind: 'workspace',
        source: 'signalbox.yaml',
        value: { tools: { edit_file } },
      } as const;
      const merged = mergeLayers([own, shared]);
      if (merged.kind === 'invalid') throw new Error(JSON.stringify(merged.problems));
      const limits = createPolicy(merged.settings, PATH_CONTEXT).limits(questionOf({ tool }));
      expect(limits.map(({ key, limit }) => [key, limit])).toEqual([
        ['tool:edit_file:hour', rate],
        ['tool:write_file:hour', 5],
      ]);
    }
  });

  test('takes nothing without limits', () => {
    expect(policyOf().limits(questionOf())).toEqual([]);
  });
});
