import { createHash } from 'node:crypto';
import { type ApprovalBase, type Call, CallHash, canonicalJson } from '@signalbox/core';

/**
 * What tells a call apart from others: the tool, its exact arguments, the workspace, the policy's version, the
 * shell line that it comes to, which may rest on configuration, and the definition of a tool that somebody else
 * defines.
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

/** What a person's answer is bound to: the call, and the files that it would touch as they stood when it was asked. */
export function hashOfQuestion(callHash: CallHash, { files }: ApprovalBase): CallHash {
  return CallHash.parse(createHash('sha256').update(canonicalJson({ callHash, files })).digest('hex'));
}
