import type { CallGate } from '@signalbox/coordinator';
import {
  type CommandStore,
  createRedactor,
  createToolRegistry,
  type NewEvent,
  type Settings,
  silentLogger,
  UsageError,
} from '@signalbox/core';
import { catalogue } from '@signalbox/tools';
import type { Context } from '../../../runtime/contract/context.ts';
import { openGates } from '../../../runtime/open-gates.ts';
import { keysOf } from '../../../runtime/settings/keys-of.ts';
import { loadSettings } from '../../../runtime/settings/load-settings.ts';
import { findLines } from '../../../runtime/workspace/find-lines.ts';
import { money } from '../../../terminal/render-context.ts';

type Policies = Settings['tools']['adversarial_policy']['policies'];

/** What the requests to a judge cost. */
export type JudgeUsage = Readonly<{ requests: number; costUsd: number | null }>;

export type OpenedJudge = Readonly<{
  gate: CallGate;
  /** Name of its provider in the settings. */
  provider: string;
  /** Until now. */
  cost: () => JudgeUsage;
}>;

/**
 * The judge of the settings outside a coordinator, as if the gate were on, so that it can be tried before. Its requests
 * are counted, and are no events of the workspace.
 *
 * @param options.policies default: those of the settings
 * @throws {UsageError} if the settings name no provider, or no policies where they are needed
 */
export async function openJudge(
  context: Context,
  { store, policies }: Readonly<{ store: Pick<CommandStore, 'get' | 'list'>; policies?: Policies }>,
): Promise<OpenedJudge> {
  const loaded = await loadSettings(context);
  const settings = switchedOn(loaded.settings, policies);
  const requests: (NewEvent & { type: 'model_request_ended' })[] = [];
  const gate = openGates({
    store,
    events: {
      append: async (events: readonly NewEvent[]) => {
        for (const event of events) if (event.type === 'model_request_ended') requests.push(event);
        return [];
      },
    },
    settings: () => settings,
    tools: createToolRegistry(catalogue()),
    lines: findLines(context.directory, settings),
    apiKeys: context.env,
    clock: context.clock,
    redactor: createRedactor({ secrets: keysOf(settings, context.env) }),
    logger: silentLogger,
  }).find(({ name }) => name === 'adversarial');
  if (gate === undefined) throw new Error('the adversarial gate is always there');
  const provider = settings.tools.adversarial_policy.policy_provider;
  return { gate, provider, cost: () => costOf(requests) };
}

/** `60 requests · $0.02`. */
export function costText({ requests, costUsd }: JudgeUsage): string {
  const cost = costUsd === null ? 'cost unknown: the provider has no prices' : money(costUsd);
  return `${requests} request${requests === 1 ? '' : 's'} · ${cost}`;
}

function switchedOn(settings: Settings, given: Policies | undefined): Settings {
  const { adversarial_policy } = settings.tools;
  const policies = given ?? adversarial_policy.policies;
  if (policies.length === 0 || adversarial_policy.policy_provider === '') {
    throw new UsageError('usage', 'Cannot ask a judge: the settings name no provider or no policies', {
      why: ['tools.adversarial_policy.policy_provider and tools.adversarial_policy.policies'],
      next: ['signalbox config edit', 'signalbox config get tools.adversarial_policy'],
    });
  }
  const asked = { ...adversarial_policy, enabled: true, policies };
  // The policies of a measurement apply to all of its calls.
  const exempt = given === undefined ? {} : { exempt_tools: [] };
  return { ...settings, tools: { ...settings.tools, adversarial_policy: { ...asked, ...exempt } } };
}

function costOf(requests: readonly (NewEvent & { type: 'model_request_ended' })[]): JudgeUsage {
  const known = requests.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd]));
  const costUsd = known.length < requests.length ? null : known.reduce((sum, one) => sum + one, 0);
  return { requests: requests.length, costUsd };
}
