import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { type AuditReport, verifyAudit } from '@signalbox/coordinator';
import type { CommandRecord, Event } from '@signalbox/core';
import { runTrusted } from '@signalbox/sandbox';
import type { Context } from '../../runtime/contract/context.ts';
import { auditFilesOf } from '../../runtime/audit-files.ts';
import { REDIS_URL, type RedisAddress } from '../../runtime/workspace/redis-address.ts';
import { BLANK } from '../../terminal/line.ts';
import { type OpenCoordinator, openCoordinator } from '../serve/open-coordinator.ts';
import { openingLines } from './captions.ts';
import { checkScenes, type Scene } from './check-scenes.ts';
import { demoSettings } from './demo-settings.ts';
import { createMilestones } from './milestones.ts';
import { startModelServer } from './model-server.ts';
import { playDemo } from './play-demo.ts';
import { SCRIPTS } from './scripts.ts';
import { setUpShop } from './set-up-shop.ts';
import { type DemoSummary, summarise } from './summarise.ts';

export type DemoOptions = Readonly<{
  /** Redis to keep its state in. Default: in its own folder, whatever the environment says. */
  redis?: RedisAddress | undefined;
  fast: boolean;
  /** Abort to end it: no new turns; it is over when every process is dead. */
  stopping: AbortController;
}>;

export type DemoReport = Readonly<{
  workspace: string;
  scenes: readonly Scene[];
  summary: DemoSummary;
  audit: AuditReport;
  events: readonly Event[];
  /** Of all its commands. */
  records: readonly CommandRecord[];
  /** Every scene happened and the audit log is consistent: exit 0. */
  complete: boolean;
}>;

/**
 * Runs the demo: three scripted providers repair the sample project in a new git workspace, through a coordinator in
 * this process, with the demo as its client. When it settles no process and no port is left; the folder stays.
 */
export async function runDemo(options: DemoOptions, context: Context): Promise<DemoReport> {
  const { clock, env } = context;
  const { fast, stopping } = options;
  const milestones = createMilestones();
  const path = env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin';
  const workspace = await setUpShop(tmpdir(), (argv) => runTrusted(argv, path));
  const models = await startModelServer({ scripts: SCRIPTS, milestones, clock, fast });
  try {
    let { say } = context;
    const there: Context = {
      ...context,
      directory: workspace,
      cwd: workspace,
      // The shop's tests need a Node.js no older than ours.
      env: { ...env, PATH: `${dirname(process.execPath)}:${path}`, [REDIS_URL]: undefined },
      say: (lines) => say(lines),
    };
    const { opened, unconfined } = await openDemoWorkspace(models.url, options, there);
    context.say([...openingLines(workspace, unconfined), BLANK]);
    void opened.ended.then(() => stopping.abort());
    let played: Awaited<ReturnType<typeof playDemo>>;
    try {
      played = await playDemo({
        context: { ...context, directory: workspace },
        facts: opened.runtime.facts,
        milestones,
        fast,
        signal: stopping.signal,
        onScreen(screen) {
          say = screen.note;
        },
      });
    } finally {
      await opened.close();
    }
    const { events } = played;
    const scenes = checkScenes(events);
    const [auditFile = join(workspace, '.signalbox', 'audit.jsonl')] = auditFilesOf(workspace);
    const audit = await verifyAudit(auditFile);
    const complete = scenes.every(({ happened }) => happened) && audit.problems.length === 0;
    return { ...played, workspace, scenes, summary: summarise(events), audit, complete };
  } finally {
    await models.stop();
  }
}

/** Unconfined if no sandbox works: the folder belongs to the demo and is temporary. */
async function openDemoWorkspace(
  modelUrl: string,
  { redis }: DemoOptions,
  context: Context,
): Promise<Readonly<{ opened: OpenCoordinator; unconfined: boolean }>> {
  const open = (unconfined: boolean): Promise<OpenCoordinator> =>
    openCoordinator(context, {
      subcommand: 'demo',
      unconfined,
      settings: demoSettings(context.directory, modelUrl),
      ...(redis === undefined ? {} : { redis }),
      isForeground: true,
    });
  const opened = await open(false);
  try {
    await opened.runtime.isolation();
    return { opened, unconfined: false };
  } catch (error) {
    context.log.warn({ error }, 'no sandbox works: the demo runs without one');
    await opened.close();
    return { opened: await open(true), unconfined: true };
  }
}
