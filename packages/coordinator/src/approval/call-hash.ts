import { createHash } from 'node:crypto';
import { type ApprovalBase, type Call, CallHash, canonicalJson } from '@signalbox/core';

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
