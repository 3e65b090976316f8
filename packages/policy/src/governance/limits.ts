import type { CounterTake, Settings } from '@signalbox/core';
import type { Question } from './question.ts';
import { toolPolicyOf } from './tool-settings.ts';

const HOUR_MS = 3_600_000;

/**
 * What a call costs, to be taken in this order on its first attempt: the tool's rate (Q1), the provider's (Q3),
 * then the session's quota (Q2), so that a call over a rate leaves the quota alone.
 */
export function limitsOf({ tool, context }: Question, settings: Settings): readonly CounterTake[] {
  const perHour = lowest(tool.rateLimitPerHour, toolPolicyOf(tool, settings).rate_limit_per_hour);
  const ofProvider = settings.providers[context.provider]?.rate_limit_per_hour ?? null;
  const perSession = settings.tools.max_tool_calls_per_session;
  return [
    ...(perHour === null ? [] : [{ key: `tool:${tool.name}:hour`, limit: perHour, windowMs: HOUR_MS }]),
    ...(ofProvider === null
      ? []
      : [{ key: `provider:${context.provider}:hour`, limit: ofProvider, windowMs: HOUR_MS }]),
    ...(perSession === null || tool.isExempt
      ? []
      : [{ key: `session:${context.sessionId}:calls`, limit: perSession, windowMs: null }]),
  ];
}

function lowest(...limits: readonly (number | null)[]): number | null {
  const given = limits.filter((limit) => limit !== null);
  return given.length === 0 ? null : Math.min(...given);
}
