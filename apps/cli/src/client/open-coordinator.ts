import type { Context } from '../frame/context.ts';
import { tellTroubles } from '../frame/tell-troubles.ts';
import type { House, OpenApi } from '../house.ts';
import { apiOptions } from '../serve/listen-flags.ts';
import { followSettings } from '../settings/follow-settings.ts';
import { settingsOnDisk } from '../settings/watch-settings.ts';

/** A coordinator in this process, reached by the socket of its workspace. */
export type OpenCoordinator = Readonly<{
  house: House;
  api: OpenApi;
  /** Sessions begin nothing new, what runs is ended, the workspace is free. */
  close(): Promise<void>;
}>;

/** @throws {UnavailableError} `workspace-held` where another process leads the workspace. */
export async function openCoordinator(
  context: Context,
  { subcommand }: Readonly<{ subcommand: string }>,
): Promise<OpenCoordinator> {
  const followed = settingsOnDisk(context);
  const { settings } = await followed.load();
  const stopping = new AbortController();
  const house = await context.doors.openHouse({
    workspace: context.directory,
    settings,
    unconfined: false,
    user: context.user,
    subcommand,
    apiKeys: context.env,
    clock: context.clock,
  });
  try {
    tellTroubles(house, context);
    const api = await house.openApi(apiOptions(context, stopping.signal));
    const unfollow = followSettings(
      house,
      { ...followed, before: settings, clock: context.clock },
      (lines) => {
        context.say(lines);
      },
    );
    return {
      house,
      api,
      async close() {
        stopping.abort();
        unfollow();
        await house.close();
      },
    };
  } catch (error) {
    await house.close();
    throw error;
  }
}
