import { Json, SandboxError, type Settings } from '@signalbox/core';
import * as z from 'zod';
import { VERSION } from '../contract/version.ts';

/** A coordinator's own settings, as it parsed them: a worker of the same version reads them as they are. */
const Setup = z.object({ version: z.string(), settings: z.custom<Settings>((value) => value !== undefined) });

/** How a coordinator's programs are confined, for its workers. */
export function setupOf(settings: Settings): Json {
  return Json.parse(JSON.parse(JSON.stringify({ version: VERSION, settings })));
}

/** @throws {SandboxError} when the coordinator is of another version: what it means may not be what we read. */
export function settingsIn(setup: Json): Settings {
  const parsed = Setup.safeParse(setup);
  if (parsed.success && parsed.data.version === VERSION) return parsed.data.settings;
  throw new SandboxError('Cannot run this: its coordinator is of another version of Signalbox', {
    why: [
      `this worker is of version ${VERSION}, the coordinator of ${parsed.data?.version ?? 'none that is known'}`,
    ],
    next: ['Use one version for all of them: signalbox status --json   says which each has'],
  });
}
