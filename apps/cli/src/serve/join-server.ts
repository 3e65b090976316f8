import { UnavailableError } from '@signalbox/core';
import type { Context } from '../frame/context.ts';
import type { House } from '../house.ts';
import { followSettings } from '../settings/follow-settings.ts';
import { settingsOnDisk } from '../settings/watch-settings.ts';
import { isAnswering } from './ask-server.ts';
import { listenFlags, serveOptions } from './listen-flags.ts';
import { findLocalAccess, localAccess, type LocalAccess } from './local-access.ts';
import * as z from 'zod';
import { tellTroubles } from '../frame/tell-troubles.ts';

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

/** In which whoever takes a workspace over serves it, on a busy machine. */
const STARTS_WITHIN_MS = 30_000;
const LOOK_AGAIN_MS = 250;

/** Several agents start this at once for one workspace: the first leads it, the others join. */
export function joinServer(subcommand: string, context: Context): JoinedServer {
  const stopping = new AbortController();
  let own: { house: House; unfollow: () => void } | undefined;
  let opening: Promise<LocalAccess> | undefined;

  async function open(): Promise<LocalAccess> {
    const until = context.clock.monotonic() + STARTS_WITHIN_MS;
    for (;;) {
      const found = findLocalAccess(context.directory);
      if (found !== null && (await isAnswering(found))) return found;
      const held = await heldBy(lead());
      if (held === null) break;
      // The next leader holds the workspace before it serves it.
      if (context.clock.monotonic() >= until || stopping.signal.aborted) throw servesNobody(held);
      await pause(LOOK_AGAIN_MS);
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
    tellTroubles(house, context);
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

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      context.clock.timer(ms, resolve);
    });
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

/** What keeps us from leading: another process does. */
async function heldBy(leading: Promise<void>): Promise<UnavailableError | null> {
  try {
    await leading;
    return null;
  } catch (error) {
    if (error instanceof UnavailableError && error.code === 'workspace-held') return error;
    throw error;
  }
}

/** A model reads this too: it names no process to end. */
function servesNobody(held: UnavailableError): UnavailableError {
  return new UnavailableError('workspace-held', `${held.message}, and it serves nobody`, {
    why: [`waited ${STARTS_WITHIN_MS / 1000} s for it`],
    next: ['try again when it has ended'],
    cause: held,
  });
}
