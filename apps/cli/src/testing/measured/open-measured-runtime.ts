import { defaultSettings } from '@signalbox/core';
import { createSystemClock } from '@signalbox/embedded';
import { openRuntime } from '../../runtime/compose.ts';
import type { Runtime } from '../../runtime/contract/runtime.ts';

const nothing = (): void => undefined;
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => silent };

/** The coordinator of a workspace with the default settings, which logs nothing. */
export function openMeasuredRuntime(workspace: string): Promise<Runtime> {
  return openRuntime({
    workspace,
    settings: defaultSettings(),
    unconfined: false,
    user: 'nobody',
    subcommand: 'bench',
    apiKeys: process.env,
    log: silent,
    clock: createSystemClock(),
  });
}
