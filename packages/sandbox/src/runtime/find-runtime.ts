import { realpathSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { dirname } from 'node:path';
import { SandboxError } from '@signalbox/core';

/** An optional peer dependency, used on macOS only. */
export const RUNTIME = '@anthropic-ai/sandbox-runtime';

/**
 * Absolute paths of its module and its folder; it runs programs of that folder in its sandbox.
 *
 * @param from The module that would import it.
 * @throws {SandboxError} when it is not installed
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

/** Searches only next to the importing module: folders named by the environment don't count. */
function descriptionOf(from: string): string | undefined {
  try {
    return findPackageJSON(RUNTIME, from);
  } catch {
    return undefined;
  }
}
