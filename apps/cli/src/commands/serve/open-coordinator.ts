import { join } from 'node:path';
import type { RecoveryProgress } from '@signalbox/api';
import type { Context } from '../../runtime/contract/context.ts';
import { tellTroubles } from '../../runtime/tell-troubles.ts';
import type { Runtime, OpenApi } from '../../runtime/contract/runtime.ts';
import { apiOptions } from './listen-flags.ts';
import { tellRecovery } from './tell-recovery.ts';
import { followSettings } from '../../runtime/settings/follow-settings.ts';
import { settingsOnDisk } from '../../runtime/settings/watch-settings.ts';
import { STATE_FOLDER } from '../../runtime/workspace/state-folder.ts';
import { RUN_FOLDER } from '../../runtime/server/coordinator-record.ts';
import { boundLog, LOG_FILE } from '../../client/log-of-coordinator.ts';
import { watchIdle } from './watch-idle.ts';
import { countAtWork } from '../../runtime/server/when-drained.ts';

/** A coordinator in this process, reached by the socket of its workspace. */
export type OpenCoordinator = Readonly<{
  runtime: Runtime;
  api: OpenApi;
  /** Settles when a client has asked it to end, or nobody was there for long; it is to be closed then. */
  ended: Promise<void>;
  /** Sessions begin nothing new, what runs is ended, the workspace is free. */
  close(): Promise<void>;
}>;

/** @throws {UnavailableError} `workspace-held` where another process leads the workspace. */
export async function openCoordinator(
  context: Context,
  {
    subcommand = 'coordinator',
    unconfined = false,
    onRecovery,
  }: Readonly<{
    subcommand?: string;
    unconfined?: boolean;
    /** Hears how far it is with many commands of before. */
    onRecovery?: (progress: RecoveryProgress) => void;
  }> = {},
): Promise<OpenCoordinator> {
  const { clock, directory } = context;
  const followed = settingsOnDisk({ ...context, withoutSandbox: unconfined });
  const { settings } = await followed.load();
  const stopping = new AbortController();
  const { promise: ended, resolve: onStop } = Promise.withResolvers<void>();
  const runtime = await context.doors.openRuntime({
    workspace: directory,
    settings,
    unconfined,
    user: context.user,
    subcommand,
    apiKeys: context.env,
    clock,
    ...(onRecovery === undefined ? {} : { onRecovery }),
  });
  try {
    tellTroubles(runtime, context);
    const stopTelling = tellRecovery(runtime.coordinator.recovery, context);
    const idleExitMs = settings.coordinator.idle_exit;
    const api = await runtime.openApi({
      ...apiOptions(context, stopping.signal),
      idleExitMs: idleExitMs === 0 ? null : idleExitMs,
      onStop,
    });
    const unfollow = followSettings(runtime, { ...followed, before: settings, clock }, (lines) => {
      context.say(lines);
    });
    const stopWatching = watchIdle({
      idleExitMs,
      clock,
      activity: api.activity,
      atWork: () => countAtWork(runtime),
      isFound: api.isFound,
      onLook: () => boundLog(join(directory, STATE_FOLDER, RUN_FOLDER, LOG_FILE)),
      onIdle: onStop,
    });
    let closing: Promise<void> | undefined;
    async function close(): Promise<void> {
      stopTelling();
      stopWatching();
      stopping.abort();
      unfollow();
      await runtime.close();
    }
    return {
      runtime,
      api,
      ended,
      close: () => (closing ??= close()),
    };
  } catch (error) {
    await runtime.close();
    throw error;
  }
}
