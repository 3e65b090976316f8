import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from './testing/open-page.ts';
import { openStandInServer } from './testing/stand-in-server.ts';

const RATE = 200;
const SECONDS = 10;
const WARM_UP_MS = 2000;
/** By the definition of the browser's Long Tasks API, in milliseconds. */
const LONG = 50;

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

/** Work of the page's main thread, task by task. */
type Busy = Readonly<{
  /** In wall time: long tasks as the browser defines them. */
  long: readonly number[];
  /** In CPU time, sorted, in milliseconds: independent of the machine's load. */
  tasks: readonly number[];
}>;

test.for([
  { providers: 8, page: 'live' },
  { providers: 40, page: 'live' },
  { providers: 100, page: 'live' },
  { providers: 100, page: 'leases' },
  { providers: 100, page: 'approvals' },
  { providers: 100, page: 'history' },
] as const)(
  '$page with $providers providers at 200 events a second holds up no input for 50 ms',
  { timeout: 60_000 },
  async ({ providers, page: name }) => {
    await using served = await openStandInServer({ providers });
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${served.url}/#/${name}`);
    await page.locator('main h1').waitFor();
    served.send(RATE);
    await pause(WARM_UP_MS);
    const busy = await watch(page, await context.newCDPSession(page), () => pause(SECONDS * 1000));
    console.log(textOf(name, providers, busy));
    await context.close();
    expect(busy.tasks.filter((ms) => ms > LONG)).toEqual([]);
  },
);

async function watch(page: Page, cdp: CDPSession, meanwhile: () => Promise<unknown>): Promise<Busy> {
  await page.evaluate(() => {
    const kept = globalThis as unknown as { long: number[] };
    kept.long = [];
    new PerformanceObserver((list) => {
      kept.long.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: 'longtask' });
  });
  const read: TraceEvent[] = [];
  cdp.on('Tracing.dataCollected', ({ value }) => read.push(...(value as unknown as TraceEvent[])));
  await cdp.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', '__metadata'] },
  });
  await meanwhile();
  const complete = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve));
  await cdp.send('Tracing.end');
  await complete;
  const long = await page.evaluate(() => (globalThis as unknown as { long: number[] }).long);
  return { long, tasks: mainTasks(read).toSorted((a, b) => b - a) };
}

/** In the trace event format `X` is a completed task; `tdur` is its CPU time in microseconds. */
type TraceEvent = Readonly<{
  ph: string;
  name: string;
  pid: number;
  tid: number;
  tdur?: number;
  args?: { name?: string };
}>;

function mainTasks(read: readonly TraceEvent[]): readonly number[] {
  const mains = new Set(
    read.flatMap(({ name, args, pid, tid }) =>
      name === 'thread_name' && args?.name === 'CrRendererMain' ? [`${pid} ${tid}`] : [],
    ),
  );
  return read.flatMap(({ ph, name, pid, tid, tdur }) =>
    ph === 'X' && name.endsWith('RunTask') && mains.has(`${pid} ${tid}`) ? [(tdur ?? 0) / 1000] : [],
  );
}

function textOf(page: string, providers: number, { long, tasks }: Busy): string {
  const busyMs = tasks.reduce((sum, ms) => sum + ms, 0);
  return (
    `${page}, ${providers} providers, ${RATE} events/s for ${SECONDS} s: ` +
    `longest task ${(tasks[0] ?? 0).toFixed(1)} ms of processor time, 10th ${(tasks[9] ?? 0).toFixed(1)} ms, ` +
    `busy ${((busyMs / (SECONDS * 1000)) * 100).toFixed(0)} %; ` +
    `${long.length} long tasks by the wall clock${long.length === 0 ? '' : `, the longest ${Math.max(...long).toFixed(0)} ms`}`
  );
}
