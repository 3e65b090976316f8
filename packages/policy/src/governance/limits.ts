import { type CounterTake, GOES_BY, type Settings } from '@signalbox/core';
import type { Question } from './question.ts';
import { toolPolicyName, toolPolicyOf } from './tool-settings.ts';
import { toolsOfEffects } from './tools-of-effects.ts';

const HOUR_MS = 3_600_000;

/**
 * The cost of a call, to be taken in this order on its first attempt: the rates of its tool and of the tools of its
 * effects (Q1), the provider's (Q3), then the session's quota (Q2), so that a call over a rate leaves the quota alone.
 */
export function limitsOf(question: Question, settings: Settings): readonly CounterTake[] {
  const { tool, context } = question;
  const ofProvider = settings.providers[context.provider]?.rate_limit_per_hour ?? null;
  const perSession = settings.tools.max_tool_calls_per_session;
  return [
    ...ratesOf(question, settings),
    ...(ofProvider === null
      ? []
      : [{ key: `provider:${context.provider}:hour`, limit: ofProvider, windowMs: HOUR_MS }]),
    ...(perSession === null || tool.isExempt
      ? []
      : [{ key: `session:${context.sessionId}:calls`, limit: perSession, windowMs: null }]),
  ];
}

/** Rates of tools alone; a call counts once for each, however much it changes. */
export function ratesOf(question: Question, settings: Settings): readonly CounterTake[] {
  const { tool } = question;
  const own = toolPolicyName(tool, settings) ?? tool.name;
  const rates = new Map([[own, lowest(tool.rateLimitPerHour, rateOf(own, settings))]]);
  // An edit is a write, whatever rate it has of its own: otherwise a shared file that names edit_file would double
  // yours.
  const others = [GOES_BY[own] ?? [], toolsOfEffects(question).map((effect) => effect.tool)].flat();
  for (const name of others) if (!rates.has(name)) rates.set(name, rateOf(name, settings));
  return [...rates].flatMap(([name, limit]) =>
    limit === null ? [] : [{ key: `tool:${name}:hour`, limit, windowMs: HOUR_MS }],
  );
}

function rateOf(name: string, settings: Settings): number | null {
  return toolPolicyOf({ name, aliases: [] }, settings).rate_limit_per_hour;
}

function lowest(...limits: readonly (number | null)[]): number | null {
  const given = limits.filter((limit) => limit !== null);
  return given.length === 0 ? null : Math.min(...given);
}
