import { canonicalJson, type CommandResult, type Json } from '@signalbox/core';
import * as z from 'zod';
import { sha256 } from './sha256.ts';

/** Null if nothing was printed. */
const Fingerprint = z.strictObject({ sha256: z.string(), bytes: z.int().min(0) }).nullable();

/**
 * Hashes of the output kept in a command's record, after redaction; `output`: the tool's own answer, as canonical JSON.
 */
export const OutputHashes = z.strictObject({ stdout: Fingerprint, stderr: Fingerprint, output: Fingerprint });
export type OutputHashes = z.infer<typeof OutputHashes>;

export function hashOutputs({
  stdout,
  stderr,
  output,
}: Pick<CommandResult, 'stdout' | 'stderr' | 'output'>): OutputHashes {
  return {
    stdout: fingerprint(stdout),
    stderr: fingerprint(stderr),
    output: fingerprint(output === null ? '' : canonicalJson(output satisfies Json)),
  };
}

function fingerprint(text: string): OutputHashes['stdout'] {
  return text === '' ? null : { sha256: sha256(text), bytes: Buffer.byteLength(text) };
}
