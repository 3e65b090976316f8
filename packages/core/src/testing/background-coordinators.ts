import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A `signalbox coordinator` that a program has started in the background. */
export type BackgroundCoordinator = Readonly<{
  pid: number;
  /** The file that started it. */
  entry: string;
  workspace: string;
}>;

const COMMAND_LINE = /\0(?<entry>[^\0]+)\0-C\0(?<workspace>[^\0]+)\0--no-input\0coordinator\0$/;

/** Coordinators running on this machine now, by their command lines. Empty without `/proc`. */
export function backgroundCoordinators(): readonly BackgroundCoordinator[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const { entry, workspace } = COMMAND_LINE.exec(commandLineOf(name))?.groups ?? {};
    return entry === undefined || workspace === undefined ? [] : [{ pid: Number(name), entry, workspace }];
  });
}

/**
 * Kills the coordinators that programs of a test have started in a workspace. Its record names at most one of them, and
 * none before that one listens: a test may end earlier.
 */
export function killCoordinators(workspace: string): void {
  for (const one of backgroundCoordinators()) if (one.workspace === workspace) killNow(one);
}

export function killNow({ pid }: BackgroundCoordinator): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function commandLineOf(name: string): string {
  try {
    return readFileSync(`/proc/${name}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
