import { submitUndo, type UndoCall, type UndoOutcome } from '@signalbox/coordinator';
import type { Context } from '../frame/context.ts';
import { withRecords } from '../frame/with-records.ts';
import { withRemote } from '../frame/with-remote.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { tellTroubles } from '../frame/tell-troubles.ts';

export type SendUndo = (call: UndoCall) => Promise<UndoOutcome>;

/** Undoes by who coordinates the workspace now: a server elsewhere, another process here, or this one. */
export async function withUndo<Answer>(
  context: Context,
  use: (send: SendUndo) => Promise<Answer>,
): Promise<Answer> {
  if (await isLed(context)) return withRemote(context, 'undo', (remote) => use(remote.undo));
  const { settings } = await loadSettings({ ...context, withoutSandbox: false });
  const house = await context.doors.openHouse({
    workspace: context.directory,
    settings,
    unconfined: false,
    user: context.user,
    subcommand: 'undo',
    apiKeys: context.env,
    clock: context.clock,
  });
  try {
    tellTroubles(house, context);
    return await use((call) => submitUndo(house.coordinator, call));
  } finally {
    await house.close();
  }
}

async function isLed(context: Context): Promise<boolean> {
  if (context.flags.server !== undefined) return true;
  return withRecords(context, async (records) => (await records.holder()) !== null);
}
