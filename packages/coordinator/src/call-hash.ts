import { createHash } from 'node:crypto';
import { type Call, CallHash, canonicalJson } from '@signalbox/core';

/** What a person's answer is bound to: the tool, its exact arguments, the workspace and the policy's version. */
export function hashOfCall(call: Call, workspace: string, policyVersion: string): CallHash {
  const bound = { tool: call.tool, args: call.args, workspace, policyVersion };
  return CallHash.parse(createHash('sha256').update(canonicalJson(bound)).digest('hex'));
}
