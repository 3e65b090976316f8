import {
  ALL_MODES,
  CallContext,
  type Effect,
  parseSettings,
  type Settings,
  type Tool,
} from '@signalbox/core';
import { createPolicy, type Policy } from '../create-policy.ts';
import type { Question } from '../question.ts';
import { verdictOfTool } from '../verdict-of-tool.ts';

/** Builders of questions for tests. */

export const PATH_CONTEXT = { workspace: '/home/ana/shop', home: '/home/ana' };

export function settingsOf(value: unknown): Settings {
  const parsed = parseSettings(value);
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return parsed.settings;
}

export function policyOf(value: unknown = {}): Policy {
  return createPolicy(settingsOf(value), PATH_CONTEXT);
}

export function toolOf(tool: Partial<Tool> = {}): Question['tool'] {
  return {
    name: 'write_file',
    aliases: ['file.write'],
    category: 'system_write',
    risk: 'high',
    policy: 'auto',
    allowedModes: ALL_MODES,
    requiresSandbox: false,
    timeoutMs: 30_000,
    rateLimitPerHour: null,
    ...tool,
  } as Question['tool'];
}

export const READ_FILE = toolOf({
  name: 'read_file',
  aliases: ['file.read'],
  category: 'read_only',
  risk: 'low',
});
export const BASH = toolOf({ name: 'bash', aliases: ['shell'], category: 'execute', requiresSandbox: true });

type Changes = Partial<Omit<Question, 'context'>> & {
  readonly effects?: readonly Effect[];
  readonly level?: Question['verdict']['level'];
  readonly composed?: boolean;
  readonly context?: Partial<Question['context']>;
};

/**
 * A provider with the usual trust writes `src/a.ts` in NORMAL in the sandbox; a given level replaces the tool's own.
 */
export function questionOf(changes: Changes = {}): Question {
  const { effects = [], level, composed = false, context, ...rest } = changes;
  const tool = rest.tool ?? toolOf();
  const verdict = verdictOfTool(tool, effects);
  const reasons = [{ level: level ?? verdict.level, code: 'test', text: 'because the test says so' }];
  return {
    tool,
    line: null,
    verdict: level === undefined ? { ...verdict, composed } : { ...verdict, composed, level, reasons },
    mode: 'NORMAL',
    sandboxed: true,
    contentBytes: 0,
    ...rest,
    context: {
      ...CallContext.parse({ sessionId: 'ses_abcdefghjkmn', provider: 'openai' }),
      ...context,
    },
  };
}

export function write(path: string): Effect {
  return { kind: 'write', path, scope: 'file' };
}

export function read(path: string): Effect {
  return { kind: 'read', path, scope: 'file' };
}
