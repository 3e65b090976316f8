import { createHash } from 'node:crypto';
import {
  type Approval,
  type ApprovalBase,
  type Call,
  CallHash,
  canonicalJson,
  type CommandRecord,
} from '@signalbox/core';

/**
 * Identifies a call: the tool, its exact arguments, the workspace, the policy's version, the resulting shell line
 * (which may depend on configuration), and the definition of a tool defined by a server.
 */
export function hashOfCall(
  call: Call,
  bounds: {
    readonly workspace: string;
    readonly policyVersion: string;
    readonly line: string | null;
    readonly definition?: string;
  },
): CallHash {
  const bound = { tool: call.tool, args: call.args, ...bounds };
  return CallHash.parse(createHash('sha256').update(canonicalJson(bound)).digest('hex'));
}

/** What an answer is bound to: the call, and the state of the files it would touch when it was requested. */
export function hashOfQuestion(callHash: CallHash, { files }: ApprovalBase): CallHash {
  return CallHash.parse(createHash('sha256').update(canonicalJson({ callHash, files })).digest('hex'));
}

/** Whether the answer was given to this call, with the files bound to it. */
export function isOfCall(
  { callHash, base }: Pick<Approval, 'callHash' | 'base'>,
  record: Pick<CommandRecord, 'callHash'>,
): boolean {
  return record.callHash !== null && callHash === hashOfQuestion(record.callHash, base);
}
