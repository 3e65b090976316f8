import { writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '@signalbox/sandbox/process';
import type { Context } from '../frame/context.ts';
import { plainEnv } from '../frame/plain-env.ts';
import { as, type Line, line, muted } from '../screen/line.ts';
import { dashboardLink } from './dashboard-link.ts';
import type { LocalAccess } from './local-access.ts';

/** What opens a page in the person's browser. */
const OPENER = platform() === 'darwin' ? 'open' : 'xdg-open';

type Place = Pick<Context, 'directory' | 'env' | 'tell'>;

/**
 * Opens the dashboard of a coordinator, on that port or its oldest, in the person's browser, as they are; says the link where none opens.
 *
 * Every account of the machine can read the words of a process: the browser is given a page of the person's own that
 * leads on, and the link stands in that. It is good for one entry within two minutes, so the page may stay behind.
 */
export async function openDashboard(
  access: LocalAccess,
  { directory, env, tell }: Place,
  port?: string,
): Promise<void> {
  const { url } = await dashboardLink(access, port);
  const page = join(directory, '.signalbox', 'open-dashboard.html');
  const target = JSON.stringify(url).replaceAll('<', String.raw`\u003c`);
  writeFileSync(page, `<!doctype html><script>location.replace(${target})</script>\n`, { mode: 0o600 });
  const opener = startProcess({
    argv: ['/usr/bin/env', '--', OPENER, page],
    cwd: directory,
    env: plainEnv(env),
    descriptors: ['ignore', 'ignore', 'ignore'],
  });
  opener.hold(false);
  void opener.ended.then((end) => tell(end.kind === 'exited' && end.exitCode === 0 ? [] : byHand(url)));
}

/** Whether a browser would open before the eyes of who typed this: not over SSH, not without a screen, not in a pipe. */
export function isAtDesktop({ terminal, flags, env }: Pick<Context, 'terminal' | 'flags' | 'env'>): boolean {
  if (!terminal.stdout.tty || flags.json || isSet(env['CI'])) return false;
  if (isSet(env['SSH_CONNECTION']) || isSet(env['SSH_TTY'])) return false;
  return platform() === 'darwin' || isSet(env['DISPLAY']) || isSet(env['WAYLAND_DISPLAY']);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

function byHand(url: string): readonly Line[] {
  return [
    line(as('warn', 'no browser opened'), muted(`: ${OPENER} failed. Opens once, within two minutes:`)),
    line(as('accent', url)),
  ];
}
