import { Json, SandboxError, type Settings } from '@signalbox/core';
import * as z from 'zod';
import { VERSION } from './contract/version.ts';

/** A coordinator's own parsed settings; a worker of the same version reads them unchanged. */
const Setup = z.object({ version: z.string(), settings: z.custom<Settings>((value) => value !== undefined) });

/** How workers must confine this coordinator's programs. */
export function setupOf(settings: Settings): Json {
  return Json.parse(JSON.parse(JSON.stringify({ version: VERSION, settings })));
}

/** @throws {SandboxError} when the coordinator has another version, so its settings may mean something else here */
export function settingsIn(setup: Json): Settings {
  const parsed = Setup.safeParse(setup);
  if (parsed.success && parsed.data.version === VERSION) return parsed.data.settings;
  throw new SandboxError('Cannot run this: its coordinator runs another version of Signalbox', {
    why: [
      `this worker runs version ${VERSION}, the coordinator ${parsed.data?.version ?? 'an unknown version'}`,
    ],
    next: ['Use one version for all of them: signalbox status --json   shows the version of each'],
  });
}
