import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { verifyAudit } from '@signalbox/coordinator';
import { CommandId } from '@signalbox/core';
import { createSeededRandom } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { testProgram } from '../../testing/programs/test-program.ts';

const ROUNDS = 15;
const ANA = { name: 'ana', channel: 'test' } as const;

type Acknowledged = { readonly id: CommandId; readonly number: string };

/** Runs the workload until it has printed that many lines, then kills it. */
async function runAndKill(argv: readonly string[], lines: number): Promise<Acknowledged[]> {
  const child = spawn(process.execPath, argv, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const acknowledged: Acknowledged[] = [];
  let said = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [word, id, number] = line.split(' ');
    if (word === 'submitted') acknowledged.push({ id: CommandId.parse(id), number: number ?? '' });
    said += 1;
    if (said >= lines) break;
  }
  child.kill('SIGKILL');
  await exited;
  return acknowledged;
}

function timesRun(workspace: string): Map<string, number> {
  const times = new Map<string, number>();
  for (const file of ['log-0.txt', 'log-1.txt'].map((name) => join(workspace, name))) {
    if (!existsSync(file)) continue;
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      const number = line.replace('run-', '');
      times.set(number, (times.get(number) ?? 0) + 1);
    }
  }
  return times;
}

test('after kill -9 at random points nothing runs twice, nothing is forgotten, and approvals stay pending (S004-23, X-41, L-38)', async () => {
  const workspace = ownWorkspace();
  const workload = await testProgram('crash-workload');
  const [random] = [createSeededRandom(20_261_121)];
  const acknowledged: Acknowledged[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const lines = 1 + ((random(1)[0] ?? 0) % 25);
    acknowledged.push(...(await runAndKill([workload, workspace, `${round}`], lines)));
  }

  await using own = await openTestRuntime({
    workspace,
    settings: { approval: { prompt_on_warning: false } },
  });
  const { coordinator, store } = own.runtime;
  for (const record of await coordinator.approvals.pending()) {
    const { approval } = record;
    if (approval === null) throw new Error(`${record.id} waits for nothing`);
    const by = ANA;
    expect(
      (await coordinator.approvals.answer(record.id, { kind: 'deny' }, { by, expect: approval.callHash }))
        .kind,
    ).toBe('refused');
  }
  while ((await store.unfinished()).length > 0) {
    const [first] = await store.unfinished();
    if (first !== undefined) await own.ended(first.id);
  }

  const times = timesRun(workspace);
  const outcomes = new Map<string, number>();
  for (const { id, number } of acknowledged) {
    const record = await store.get(id);
    expect([number, record?.state]).toEqual([number, 'done']);
    const kind = record?.result?.outcome.kind ?? 'none';
    outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
    const runs = times.get(number) ?? 0;
    expect([number, kind, runs <= (kind === 'denied' ? 0 : 1)]).toEqual([number, kind, true]);
    expect([number, kind, kind !== 'completed' || runs === 1]).toEqual([number, kind, true]);
  }
  // The test would prove little if no command had been affected by its coordinator's death.
  expect(outcomes.get('completed')).toBeGreaterThan(0);
  expect(outcomes.get('denied')).toBeGreaterThan(0);
  expect(outcomes.get('lost')).toBeGreaterThan(0);
  expect([...times.values()].every((count) => count === 1)).toBe(true);
  const report = await verifyAudit(join(workspace, '.signalbox/audit.jsonl'));
  expect(report.problems).toEqual([]);
  expect(report.commands).toBe((await store.list({ states: ['done'], limit: 100_000 })).length);
}, 300_000);
