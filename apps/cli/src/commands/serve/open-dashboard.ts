import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '@signalbox/sandbox/process';
import type { Context } from '../../runtime/contract/context.ts';
import { plainEnv } from '../../terminal/plain-env.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { dashboardLink } from './dashboard-link.ts';
import { STATE_FOLDER } from '../../runtime/workspace/state-folder.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';

/** Opens a page in the user's browser. */
const OPENER = platform() === 'darwin' ? 'open' : 'xdg-open';

const PAGE = /^open-dashboard.*\.html$/;
/** The link in a page is valid for two minutes. */
const PAGE_LASTS_MS = 120_000;

type OpeningContext = Pick<Context, 'directory' | 'env' | 'tell' | 'clock'>;

/**
 * Opens the dashboard of a coordinator, on that port or its oldest, in the user's browser, signed in as that user;
 * prints the link if none opens.
 *
 * Every account of the machine can read a process's arguments: so the browser gets a private page of the user that
 * contains the link and redirects. Each call has its own page: the browser reads it after this process has ended, and a
 * link works once. Pages with expired links are removed here.
 */
export async function openDashboard(
  access: LocalAccess,
  { directory, env, tell, clock }: OpeningContext,
  { port }: Readonly<{ port?: string | undefined }> = {},
): Promise<void> {
  const { url } = await dashboardLink(access, port);
  const folder = join(directory, STATE_FOLDER);
  removeOldPages(folder, clock.now() - PAGE_LASTS_MS);
  const page = join(folder, `open-dashboard-${randomBytes(8).toString('hex')}.html`);
  const target = JSON.stringify(url).replaceAll('<', String.raw`\u003c`);
  writeFileSync(page, `<!doctype html><script>location.replace(${target})</script>\n`, {
    mode: 0o600,
    flag: 'wx',
  });
  const opener = startProcess({
    argv: ['/usr/bin/env', '--', OPENER, page],
    cwd: directory,
    env: plainEnv(env),
    descriptors: ['ignore', 'ignore', 'ignore'],
  });
  opener.hold(false);
  void opener.ended.then((end) => tell(end.kind === 'exited' && end.exitCode === 0 ? [] : byHand(url)));
}

function removeOldPages(folder: string, before: number): void {
  for (const name of readdirSync(folder).filter((one) => PAGE.test(one))) {
    const page = join(folder, name);
    // Another process may remove it as well.
    if ((statSync(page, { throwIfNoEntry: false })?.mtimeMs ?? before) < before)
      rmSync(page, { force: true });
  }
}

/** Whether a browser would open where the user sees it: not over SSH, not without a screen, not in a pipe. */
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
    line(
      as('warn', 'no browser opened'),
      muted(`: ${OPENER} failed. This link works once, within 2 minutes:`),
    ),
    line(as('accent', url)),
  ];
}
