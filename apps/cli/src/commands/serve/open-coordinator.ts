import { join } from 'node:path';
import type { Context } from '../../runtime/contract/context.ts';
import type { OpenApi, Runtime, RuntimeOptions } from '../../runtime/contract/runtime.ts';
import { as, line } from '../../terminal/line.ts';
import { serverRules } from './server-rules.ts';
import { showRecovery } from './show-recovery.ts';
import { followSettings } from '../../runtime/settings/follow-settings.ts';
import { type SettingsOnDisk, settingsOnDisk } from '../../runtime/settings/watch-settings.ts';
import { STATE_FOLDER } from '../../runtime/workspace/state-folder.ts';
import { RUN_FOLDER } from '../../runtime/server/coordinator-record.ts';
import { boundLog, LOG_FILE } from '../../client/log-of-coordinator.ts';
import { watchIdle } from './watch-idle.ts';
import { countAtWork } from '../../runtime/server/when-drained.ts';

/** A coordinator in this process, reached by the socket of its workspace. */
export type OpenCoordinator = Readonly<{
  runtime: Runtime;
  /** Settles when a client has requested a stop, or it was idle for long; then close it. */
  ended: Promise<void>;
  /** Sessions begin nothing new, running commands are ended, the workspace is released. */
  close(): Promise<void>;
  /** The same, but its sessions do not end: the next coordinator continues them. */
  leave(): Promise<void>;
}>;

type Opening = Partial<
  Pick<RuntimeOptions, 'subcommand' | 'unconfined' | 'inspect' | 'redis' | 'workersOnly' | 'onRecovery'>
> &
  Readonly<{
    /** The settings it uses and follows. Default: those of the workspace. */
    settings?: SettingsOnDisk;
    /** It never ends by itself, and keeps no log of its messages. Default false: it ends when idle. */
    isForeground?: boolean;
    /** Called once it has its socket, before any progress of recovery. */
    onServed?: (api: OpenApi) => Promise<void>;
  }>;

/** @throws {UnavailableError} `workspace-held` if another process leads the workspace */
export async function openCoordinator(context: Context, opening: Opening = {}): Promise<OpenCoordinator> {
  const { clock, directory, user } = context;
  const {
    subcommand = 'coordinator',
    unconfined = false,
    settings: followed = settingsOnDisk({ ...context, withoutSandbox: unconfined }),
    isForeground = false,
    onServed = async () => undefined,
    ...options
  } = opening;
  const { settings } = await followed.load();
  const stopping = new AbortController();
  const { promise: ended, resolve: onStop } = Promise.withResolvers<void>();
  const runtime = await context.entry.openRuntime({
    ...options,
    workspace: directory,
    settings,
    unconfined,
    user,
    subcommand,
    apiKeys: context.env,
    clock,
  });
  try {
    reportMismatches(runtime, context);
    const idleExitMs = isForeground ? 0 : settings.coordinator.idle_exit;
    const api = await runtime.openApi({
      user,
      signal: stopping.signal,
      idleExitMs: idleExitMs === 0 ? null : idleExitMs,
      onStop,
      rulesOf: ({ coordinator, applyPolicy }) => serverRules(context, coordinator, applyPolicy),
      loadSettings: async () => (await followed.load()).settings,
    });
    await onServed(api);
    const stopShowing = showRecovery(runtime.coordinator.recovery, context);
    const unfollow = followSettings(runtime, { ...followed, before: settings, clock }, (lines) => {
      context.say(lines);
    });
    const stopWatching = isForeground
      ? () => undefined
      : watchIdle({
          idleExitMs,
          clock,
          activity: api.activity,
          atWork: () => countAtWork(runtime),
          isFound: api.isFound,
          onPoll: () => boundLog(join(directory, STATE_FOLDER, RUN_FOLDER, LOG_FILE)),
          onIdle: onStop,
        });
    let closing: Promise<void> | undefined;
    async function end(how: 'close' | 'leave'): Promise<void> {
      stopShowing();
      stopWatching();
      stopping.abort();
      unfollow();
      await runtime[how]();
    }
    return {
      runtime,
      ended,
      close: () => (closing ??= end('close')),
      leave: () => (closing ??= end('leave')),
    };
  } catch (error) {
    await runtime.close();
    throw error;
  }
}

/** Reports inconsistencies of the audit log and the records on standard error, and what to do. */
function reportMismatches(runtime: Pick<Runtime, 'coordinator'>, context: Pick<Context, 'tell'>): void {
  for (const { message, next } of runtime.coordinator.troubles)
    context.tell([
      line(as('warn', 'warning '), message),
      ...next.map((step) => line('  ', as('accent', step))),
    ]);
}
