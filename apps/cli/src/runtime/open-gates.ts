import { randomBytes } from 'node:crypto';
import { createAdversarialGate, type CallGate } from '@signalbox/coordinator';
import type {
  Clock,
  CommandStore,
  EventLog,
  Logger,
  Redactor,
  Settings,
  ToolContext,
  ToolRegistry,
} from '@signalbox/core';

/** The gates between the policy's ruling and approval or start. They ask nothing while they are off. */
export function openGates(parts: {
  readonly store: Pick<CommandStore, 'get' | 'list'>;
  readonly events: Pick<EventLog, 'append'>;
  /** As they are now. */
  readonly settings: () => Settings;
  readonly apiKeys: Readonly<Record<string, string | undefined>>;
  readonly tools: Pick<ToolRegistry, 'get'>;
  readonly lines: ToolContext['lines'];
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly logger: Logger;
}): readonly CallGate[] {
  const { apiKeys, clock, tools, lines } = parts;
  return [
    createAdversarialGate({
      ...parts,
      random: randomBytes,
      lineOf: ({ tool, args }) => tools.get(tool)?.shellLine?.(args, lines).line ?? null,
      async openJudge(id, settings) {
        const { openProvider } = await import('./open-provider.ts');
        return openProvider(id, { settings, apiKeys, clock }).model;
      },
    }),
  ];
}
