import { realpathSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { dirname } from 'node:path';
import { SandboxError } from '@signalbox/core';

/** An optional peer: its confinement is used on macOS alone. */
export const RUNTIME = '@anthropic-ai/sandbox-runtime';

/**
 * Absolute paths of its module, and of its folder, from which it runs programs of its own in its sandbox.
 *
 * @param from Who would import it.
 * @throws {SandboxError} when it is not installed.
 */
export function findRuntime(from = import.meta.url): { readonly module: string; readonly folder: string } {
  const description = descriptionOf(from);
  if (description === undefined) {
    throw new SandboxError(`Cannot run commands: "${RUNTIME}" is not installed beside Signalbox`, {
      next: [`Install it where Signalbox is: npm install ${RUNTIME}`],
    });
  }
  const folder = realpathSync(dirname(description));
  return { module: createRequire(description).resolve(folder), folder };
}

/** Of what lies beside who imports alone: folders that an environment names besides do not count. */
function descriptionOf(from: string): string | undefined {
  try {
    return findPackageJSON(RUNTIME, from);
  } catch {
    return undefined;
  }
}
