import { CallContext, canonicalToolName, type Effect, type Tool, type UserRule } from '@signalbox/core';
import type { PathContext } from '../governance/paths/path-location.ts';
import type { Question } from '../governance/question.ts';
import { verdictOfTool } from '../governance/verdict-of-tool.ts';
import { classifyLine } from '../shell/classify-line.ts';
import { placeholderTool } from './placeholder-tool.ts';

/** The question of a rule's example, under the first circumstances that the rule names. */
export function exampleQuestion(
  text: string,
  rule: UserRule,
  pathContext: PathContext & { home: string },
): Question {
  const { modes, providers, phases, trust } = rule;
  const circumstances = {
    mode: modes?.[0] ?? 'NORMAL',
    sandboxed: true,
    contentBytes: 0,
    context: CallContext.parse({
      sessionId: 'ses_abcdefghjkmn',
      provider: providers?.[0] ?? 'openai',
      trust: trust?.[0] ?? 'provisional',
      phase: phases?.[0] ?? 'executor',
    }),
  } as const;
  if (rule.match.kind === 'files') {
    const [name = '', ...rest] = text.trim().split(/\s+/);
    const tool = placeholderTool(canonicalToolName(name), false);
    const effects = rest.length === 0 ? [] : [effectOn(tool, rest.join(' '))];
    return { tool, line: null, verdict: verdictOfTool(tool, effects), ...circumstances };
  }
  const named = rule.tools?.find((pattern) => !pattern.endsWith('*'));
  const verdict = classifyLine(text, { cwd: pathContext.workspace, ...pathContext });
  return { tool: placeholderTool(named ?? 'bash', true), line: text, verdict, ...circumstances };
}

function effectOn({ name, category }: Tool, path: string): Effect {
  const kind = category === 'read_only' ? 'read' : name.startsWith('delete') ? 'delete' : 'write';
  return { kind, path, scope: 'file' };
}
