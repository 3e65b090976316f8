import type { Effect, Settings } from '@signalbox/core';
import type { Question } from './question.ts';
import { type Ask, ask, type Deny, deny } from './rulings.ts';
import { toolPolicyOf } from './tool-settings.ts';

/**
 * What the mode says of a tool (D1, X-33): forbidden first, then asks, then allowed, else forbidden. The
 * tool's own definition is a bound that no settings widen.
 */
export function checkMode(question: Question, settings: Settings): Deny | Ask | undefined {
  const { tool, mode, context } = question;
  if (!settings.agents.tool_execution.enabled && context.provider !== 'you') {
    return deny('tools-off', {
      message: `Cannot call ${tool.name}: tools are switched off for models`,
      suggestion: 'Answer without tools; a person switches them on',
    });
  }
  const policy = toolPolicyOf(tool, settings);
  if (!tool.allowedModes.includes(mode) || policy.forbidden_in_modes.includes(mode))
    return forbidden(question);
  if (mode === 'LOCKDOWN' && !onlyLooks(question)) {
    return deny('lockdown-looks-only', {
      code: 'denied-by-mode',
      message: `Cannot call ${tool.name}: mode LOCKDOWN allows only looking`,
      suggestion: 'Read what you need and wait; a person ends the mode',
    });
  }
  if (policy.requires_approval_in_modes.includes(mode))
    return ask('mode-asks', `${tool.name} asks in mode ${mode}`);
  if (policy.allowed_in_modes !== undefined && !policy.allowed_in_modes.includes(mode))
    return forbidden(question);
  const isWary = mode === 'ALERT' || mode === 'DEGRADED' || mode === 'RECOVERY';
  if (isWary && question.verdict.level !== 'safe')
    return ask('mode-asks', `in mode ${mode} all but safe calls ask`);
  return undefined;
}

function forbidden({ tool, mode }: Question): Deny {
  return deny('mode-forbids', {
    code: 'denied-by-mode',
    // The sentence of S000-39 for the model, the tool's name for everybody.
    message: `Tool not allowed in ${mode} mode: ${tool.name}`,
    suggestion: 'Do what can be done without this tool; a person changes the mode',
  });
}

const LOOKS: ReadonlySet<Effect['kind']> = new Set(['read', 'secret']);

function onlyLooks({ tool, verdict }: Question): boolean {
  if (tool.category !== 'read_only' && tool.category !== 'internal') return false;
  return verdict.effects.every(
    (effect) => LOOKS.has(effect.kind) || (effect.kind === 'resource' && effect.access === 'read'),
  );
}
