import type { Effect, Mode, Phase, Settings, Tool, ToolPolicy } from '@signalbox/core';
import type { Question } from './question.ts';
import { type Ask, ask, type Deny, deny } from './rulings.ts';
import { toolPolicyOf } from './tool-settings.ts';
import { toolsOfEffects } from './tools-of-effects.ts';

/**
 * The mode's ruling on a tool (D1, X-33): forbidden first, then approval, then allowed, otherwise forbidden. The tool's
 * own definition is a bound that settings can't widen.
 */
export function checkMode(question: Question, settings: Settings): Deny | Ask | undefined {
  const { tool, mode, context } = question;
  if (!settings.agents.tool_execution.enabled && context.provider !== 'you') {
    return deny('tools-off', {
      message: `Cannot call ${tool.name}: tool calls are turned off (agents.tool_execution.enabled)`,
      suggestion: 'Answer without tools; they can only be turned on in the settings',
    });
  }
  const policy = toolPolicyOf(tool, settings);
  if (!tool.allowedModes.includes(mode) || policy.forbidden_in_modes.includes(mode))
    return forbidden(question);
  if (mode === 'LOCKDOWN' && !isReadOnly(question)) {
    return deny('lockdown-looks-only', {
      code: 'denied-by-mode',
      message: `Cannot call ${tool.name}: LOCKDOWN allows read-only calls only`,
      suggestion: 'Read what you need and wait until LOCKDOWN ends',
    });
  }
  const policies = [{ tool: tool.name, policy }, ...policiesByEffect(question, settings)];
  if (policies.some(({ policy: of }) => isForbidden(of, mode))) return forbidden(question);
  const asking = policies.find(({ policy: of }) => of.requires_approval_in_modes.includes(mode));
  if (asking !== undefined) return ask('mode-asks', `${asking.tool} needs approval in ${mode} mode`);
  const isWary = mode === 'ALERT' || mode === 'DEGRADED' || mode === 'RECOVERY';
  if (isWary && question.verdict.level !== 'safe')
    return ask('mode-asks', `${mode} mode: only safe calls run without approval`);
  return undefined;
}

/** Settings of the tools of a call's effects: they apply to a shell line, too. */
function policiesByEffect(
  question: Question,
  settings: Settings,
): readonly { readonly tool: string; readonly policy: ToolPolicy }[] {
  const { policies } = settings.tools;
  if (Object.keys(policies).length === 0) return [];
  return toolsOfEffects(question)
    .filter(({ tool }) => Object.hasOwn(policies, tool))
    .map(({ tool }) => ({ tool, policy: toolPolicyOf({ name: tool, aliases: [] }, settings) }));
}

function isForbidden(policy: ToolPolicy, mode: Mode): boolean {
  if (policy.forbidden_in_modes.includes(mode)) return true;
  const isAsking = policy.requires_approval_in_modes.includes(mode);
  return !isAsking && policy.allowed_in_modes?.includes(mode) === false;
}

/** What keeps a tool from being offered. */
export type OfferObstacle = 'tools-off' | 'filter-off' | 'undeclared' | 'mode' | 'lockdown' | 'phase';

/** Whether a tool is offered at all: nothing in the settings keeps it from the provider. */
export function isOffered(...question: Parameters<typeof offerObstacle>): boolean {
  return offerObstacle(...question) === null;
}

/**
 * Why a tool is not offered, null if it may be: it must be registered, listed if its provider lists tools, and not
 * forbidden in the mode by its definition or settings, nor in the phase. Each call is judged again.
 *
 * @param phase of the calls. Default `executor`.
 * @param declared names of the tools that the provider's settings list; null: no list, which means all.
 */
export function offerObstacle(
  tool: Pick<Tool, 'name' | 'aliases' | 'allowedModes' | 'category' | 'offered'>,
  {
    mode,
    declared,
    phase,
  }: { readonly mode: Mode; readonly declared: readonly string[] | null; readonly phase?: Phase | undefined },
  settings: Settings,
): OfferObstacle | null {
  if (!settings.agents.tool_execution.enabled) return 'tools-off';
  if (tool.offered === 'filtered' && !settings.agent.tool_filter.enabled) return 'filter-off';
  if (declared === null ? tool.offered === 'declared' : !declared.includes(tool.name)) return 'undeclared';
  if (phase === 'autonomous' && tool.category !== 'internal') return 'phase';
  const policy = toolPolicyOf(tool, settings);
  if (!tool.allowedModes.includes(mode) || policy.forbidden_in_modes.includes(mode)) return 'mode';
  if (mode === 'LOCKDOWN' && !LOCKDOWN_CATEGORIES.has(tool.category)) return 'lockdown';
  if (policy.requires_approval_in_modes.includes(mode)) return null;
  return policy.allowed_in_modes?.includes(mode) === false ? 'mode' : null;
}

const LOCKDOWN_CATEGORIES: ReadonlySet<Tool['category']> = new Set(['read_only', 'internal']);

function forbidden({ tool, mode }: Question): Deny {
  return deny('mode-forbids', {
    code: 'denied-by-mode',
    // The sentence of S000-39 for the model, with the tool's name for everybody.
    message: `Tool not allowed in ${mode} mode: ${tool.name}`,
    suggestion: 'Continue without this tool: it is unavailable in this mode',
  });
}

const READ_ONLY: ReadonlySet<Effect['kind']> = new Set(['read', 'secret']);

function isReadOnly({ tool, verdict }: Question): boolean {
  if (tool.category !== 'read_only' && tool.category !== 'internal') return false;
  return verdict.effects.every(
    (effect) => READ_ONLY.has(effect.kind) || (effect.kind === 'resource' && effect.access === 'read'),
  );
}
