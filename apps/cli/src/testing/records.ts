import type { CommandRecord, Level, Reason, Verdict } from '@signalbox/core';
import { aCall, aCallContext, aCommandId, aCommandRecord, aProviderId, ended } from '@signalbox/core/testing';
import { RENDER } from './screen-text.ts';

/** A command of the fixture for captures, `secondsAgo` old. */
export function aStoryCommand(
  label: string,
  provider: string,
  {
    title,
    overrides = {},
  }: Readonly<{ title: string; overrides?: Partial<CommandRecord> & Readonly<{ secondsAgo?: number }> }>,
): CommandRecord {
  const { secondsAgo = 10, ...others } = overrides;
  const submittedAt = RENDER.now - secondsAgo * 1000;
  const [tool = 'bash', ...rest] = title.split(' ');
  const args = tool === 'bash' ? { line: rest.join(' ') } : { path: rest.join(' ') };
  return aCommandRecord({
    id: aCommandId(label),
    title,
    call: aCall({ tool, args }),
    context: aCallContext({ provider: aProviderId(provider) }),
    submittedAt,
    queuedAt: submittedAt,
    startedAt: submittedAt,
    ...others,
  });
}

/** A pending command, with a verdict whose reasons have spans. */
export function anAskedCommand(
  line: string,
  level: Level,
  { reasons, overrides = {} }: Readonly<{ reasons: readonly Reason[]; overrides?: Partial<CommandRecord> }>,
): CommandRecord {
  const hash = '3fa9c1d0'.repeat(8) as NonNullable<CommandRecord['callHash']>;
  return aStoryCommand('p9ze', 'deepseek', {
    title: `bash ${line}`,
    overrides: {
      state: 'awaiting_approval',
      callHash: hash,
      verdict: aVerdict(level, reasons),
      ruling: {
        kind: 'ask',
        rule: 'dangerous-asks',
        source: 'built in',
        reason: 'dangerous calls always need approval',
        approvers: 1,
      },
      approval: {
        status: 'pending',
        callHash: hash,
        requestedAt: RENDER.now - 41_000,
        expiresAt: RENDER.now + 259_000,
        approvers: 1,
        grants: [],
        base: { files: [], unbound: [] },
        again: [],
      },
      ...overrides,
    },
  });
}

export function aVerdict(
  level: Level,
  reasons: readonly Reason[],
  { effects = [] }: Readonly<{ effects?: Verdict['effects'] }> = {},
): Verdict {
  return { level, reasons, effects, runsRepositoryCode: false, composed: false };
}

export { ended };
