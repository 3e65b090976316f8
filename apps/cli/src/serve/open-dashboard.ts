import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '@signalbox/sandbox/process';
import type { Context } from '../frame/context.ts';
import { plainEnv } from '../frame/plain-env.ts';
import { as, type Line, line, muted } from '../screen/line.ts';
import { dashboardLink } from './dashboard-link.ts';
import { localAccess } from './local-access.ts';

/** What opens a page in the person's browser. */
const OPENER = platform() === 'darwin' ? 'open' : 'xdg-open';

/**
 * Opens the dashboard in the person's browser, as they are; says the link where none opens. Answers how to tidy up.
 *
 * Every account of the machine can read the words of a process: the browser is given a page of the person's own that
 * leads on, and the link, which is good for one entry, stands in that.
 */
export async function openDashboard(
  context: Pick<Context, 'directory' | 'env'>,
  tell: (lines: readonly Line[]) => void,
): Promise<() => void> {
  const { url } = await dashboardLink(localAccess(context.directory, 'open the dashboard'));
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-dashboard-'));
  const page = join(folder, 'open.html');
  const target = JSON.stringify(url).replaceAll('<', String.raw`\u003c`);
  writeFileSync(page, `<!doctype html><script>location.replace(${target})</script>\n`, { mode: 0o600 });
  const opener = startProcess({
    argv: ['/usr/bin/env', '--', OPENER, page],
    cwd: context.directory,
    env: plainEnv(context.env),
    descriptors: ['ignore', 'ignore', 'ignore'],
  });
  opener.hold(false);
  void opener.ended.then((end) => tell(end.kind === 'exited' && end.exitCode === 0 ? [] : byHand(url)));
  return () => rmSync(folder, { recursive: true, force: true });
}

function byHand(url: string): readonly Line[] {
  return [
    line(as('warn', 'no browser opened'), muted(`: ${OPENER} failed. Opens once, within two minutes:`)),
    line(as('accent', url)),
  ];
}
