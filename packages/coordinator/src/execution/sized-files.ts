import { type Files, type Tool, ToolFailure } from '@signalbox/core';
import type { Policy } from '@signalbox/policy';

const MIB = 1024 * 1024;

/** The files for one tool: files over the configured size are not read, and a write may not produce one (S000-45). */
export function sizedFiles(files: Files, tool: Tool, policy: Pick<Policy, 'sizeLimit'>): Files {
  function check(access: 'read' | 'write', path: string, { bytes }: Readonly<{ bytes: number }>): void {
    const why = whyTooLarge(bytes, policy.sizeLimit(tool, access));
    if (why === null) return;
    throw new ToolFailure({
      code: 'too-large',
      category: 'PolicyBlocked',
      message: `Cannot ${access} "${path}": ${why}`,
      suggestion: 'Split it, or continue without it',
    });
  }

  return {
    ...files,
    async readText(path, options) {
      const entry = await files.stat(path);
      check('read', path, { bytes: entry?.kind === 'file' ? entry.bytes : 0 });
      const file = await files.readText(path, options);
      check('read', path, { bytes: file.bytes });
      return file;
    },
    async write(path, text, { expected, by }) {
      check('write', path, { bytes: Buffer.byteLength(text) });
      return files.write(path, text, { expected, by });
    },
  };
}

/** Null if it is within the limit, or there is none. */
export function whyTooLarge(bytes: number, limit: ReturnType<Policy['sizeLimit']>): string | null {
  if (limit === null || bytes <= limit.mib * MIB) return null;
  return `${(bytes / MIB).toFixed(1)} MiB exceeds the limit of ${limit.mib} MiB (tools.${limit.tool}.max_file_size_mb)`;
}
