import type { CommandRecord, Settings, Tool } from '@signalbox/core';
import type { Policy } from '@signalbox/policy';
import type { CoordinatorOptions } from '../coordinator-options.ts';
import { type Confinement, confinementOf } from './confinement-of.ts';

/** What the processes of a judged command may use and reach. */
export function confinementOfRecord(
  record: CommandRecord,
  tool: Tool,
  {
    settings,
    policy,
    lines,
  }: {
    readonly settings: Settings;
    readonly policy: Pick<Policy, 'agreedHosts' | 'timeoutOf'>;
    readonly lines: CoordinatorOptions['lines'];
  },
): Confinement {
  const { provider, trust, timeoutMs } = record.context;
  return confinementOf(settings, {
    tool,
    provider,
    verdict: record.verdict,
    line: tool.shellLine?.(record.call.args, lines).line ?? null,
    agreed: policy.agreedHosts,
    trust,
    timeoutMs: {
      call: timeoutMs ?? tool.requestedTimeoutMs?.(record.call.args),
      tool: policy.timeoutOf(tool),
    },
  });
}
