import { UnavailableError } from '@signalbox/core';
import type { Context } from '../frame/context.ts';
import type { House } from '../house.ts';
import { followSettings } from '../settings/follow-settings.ts';
import { settingsOnDisk } from '../settings/watch-settings.ts';
import { isAnswering } from './ask-server.ts';
import { listenFlags, serveOptions } from './listen-flags.ts';
import { findLocalAccess, localAccess, type LocalAccess } from './local-access.ts';
import * as z from 'zod';

/** A server of the workspace: of another process while one runs, else our own. */
export type JoinedServer = Readonly<{
  /** The one that answers now; opens one when the other has gone. */
  access(): Promise<LocalAccess>;
  /** The one that is there; opens none. @throws {UnavailableError} `no-server` */
  look(): LocalAccess;
  /** Its address, for people; null while there is none. */
  address(): string | null;
  close(): Promise<void>;
}>;

/** Several agents start this at once for one workspace: the first leads it, the others join. */
export function joinServer(subcommand: string, context: Context): JoinedServer {
  const stopping = new AbortController();
  let own: { house: House; unfollow: () => void } | undefined;
  let opening: Promise<LocalAccess> | undefined;

  async function open(): Promise<LocalAccess> {
    const found = findLocalAccess(context.directory);
    if (found !== null && (await isAnswering(found))) return found;
    try {
      await lead();
    } catch (error) {
      if (!(error instanceof UnavailableError) || error.code !== 'workspace-held') throw error;
      throw new UnavailableError('workspace-held', `${error.message}, and it serves nobody`, {
        why: error.why,
        next: ['try again when it has ended', 'signalbox serve, for several agents at once'],
        cause: error,
      });
    }
    const access = findLocalAccess(context.directory);
    if (access === null) throw new UnavailableError('no-server', 'Cannot find our own server');
    return access;
  }

  async function lead(): Promise<void> {
    const followed = settingsOnDisk(context);
    const { settings } = await followed.load();
    const house = await context.doors.openHouse({
      workspace: context.directory,
      settings,
      unconfined: false,
      user: context.user,
      subcommand,
      apiKeys: context.env,
      clock: context.clock,
    });
    const anyPort = z.object(listenFlags).parse({ port: 0 });
    await house.openServer(serveOptions(anyPort, context, stopping.signal));
    const unfollow = followSettings(
      house,
      { ...followed, before: settings, clock: context.clock },
      (lines) => {
        context.say(lines);
      },
    );
    own = { house, unfollow };
  }

  return {
    look: () => localAccess(context.directory, 'look at the tools'),
    address: () => findLocalAccess(context.directory)?.url ?? null,
    async access() {
      const found = findLocalAccess(context.directory);
      if (found !== null && (found.pid === process.pid || (await isAnswering(found)))) return found;
      opening ??= open().finally(() => {
        opening = undefined;
      });
      return opening;
    },
    async close() {
      stopping.abort();
      own?.unfollow();
      await own?.house.close();
    },
  };
}
