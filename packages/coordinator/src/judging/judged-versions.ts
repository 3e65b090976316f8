import { type CallHash, type CommandRecord, ToolFailure } from '@signalbox/core';
import { callHashOf, type JudgeDependencies } from './judge-call.ts';

/** Finds the version of the policy a stored command was judged by. */
export type JudgedVersions = {
  /** The hash of a record's call under that version; null if its tool can't build it any more. */
  hashUnder(record: CommandRecord, version: string): CallHash | null;
  /** The version that judged it, if tool, arguments, shell line and workspace are still the same. */
  judgedBy(record: CommandRecord): string | undefined;
};

export function createJudgedVersions(
  parts: Pick<JudgeDependencies, 'policy' | 'tools' | 'workspace' | 'lines'>,
): JudgedVersions {
  const { policy, tools } = parts;

  function hashUnder(record: CommandRecord, version: string): CallHash | null {
    const tool = tools.get(record.call.tool);
    if (tool === undefined) return null;
    try {
      return callHashOf(record.call, tool, { ...parts, policy: { version } });
    } catch (error) {
      if (error instanceof ToolFailure) return null;
      throw error;
    }
  }

  return {
    hashUnder,
    judgedBy: (record) =>
      [policy.version, ...policy.earlier].find(
        (version) => record.callHash !== null && hashUnder(record, version) === record.callHash,
      ),
  };
}
