import { createHash } from 'node:crypto';
import { type Call, CallHash, canonicalJson } from '@signalbox/core';

/**
 * What a person's answer is bound to: the tool, its exact arguments, the workspace, the policy's version, and
 * the shell line that it comes to, which may rest on configuration.
 */
export function hashOfCall(
  call: Call,
  bounds: { readonly workspace: string; readonly policyVersion: string; readonly line: string | null },
): CallHash {
  const bound = { tool: call.tool, args: call.args, ...bounds };
  return CallHash.parse(createHash('sha256').update(canonicalJson(bound)).digest('hex'));
}
