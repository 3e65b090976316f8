import {
  type CommandId,
  createToolRegistry,
  type Lease,
  Mode,
  parseSettings,
  type Scheduler,
  type Settings,
  type Tool,
  type ToolContext,
} from '@signalbox/core';
import { createPolicy } from '@signalbox/policy';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Coordinator } from './coordinator-api.ts';
import { questionOf } from './judging/judge-call.ts';
import {
  ANA,
  BEN,
  changeTo,
  createHarness,
  type CoordinatorHarness,
  WORKSPACE,
} from './testing/coordinator-harness.ts';

const SETTINGS = {
  rules: [{ id: 'two', ask: { program: 'git', args: ['push', '**'] }, approvers: 2 }],
  tools: { repeated_calls: { refuse: null } },
};
const PLACE = { lines: { tests: 'npm test', lint: null }, sandboxed: true, transactional: false } as const;
const POLICY = createPolicy(settingsOf(SETTINGS), { workspace: WORKSPACE, home: '/home/ana' });
const ModeFact = z.looseObject({ mode: Mode });

function settingsOf(written: Readonly<Record<string, unknown>>): Settings {
  const parsed = parseSettings(written);
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return parsed.settings;
}

/** A handler call that must not have happened, and why. */
type Breach = { readonly id: CommandId; readonly why: string };

/** The same tools, whose handlers first check that they may run at this moment. */
function watched(harness: CoordinatorHarness, breaches: Breach[]) {
  async function look(id: CommandId, tool: Tool): Promise<void> {
    const record = await harness.store.get(id);
    if (record === null) return void breaches.push({ id, why: 'it is not stored' });
    const { approval } = record;
    const now = POLICY.rule(questionOf(tool, record, { ...PLACE, mode: await modeOf(harness) }));
    const yeses = approval?.status === 'granted' ? approval.grants.length : 0;
    const faults = [
      ...(record.state === 'running' ? [] : [`it is ${record.state}`]),
      ...(record.call.tool === tool.name ? [] : ['it is another call']),
      ...((await hasLivingLease(harness.scheduler(), record.lease)) ? [] : ['it holds no lease']),
      ...(now.kind === 'deny' ? ['it is denied'] : []),
      ...(now.kind === 'ask' && yeses < now.approvers ? [`${yeses} of ${now.approvers} said yes`] : []),
    ];
    breaches.push(...faults.map((why) => ({ id, why })));
  }
  const watch = (tool: Tool): Tool => ({
    ...tool,
    async handle(args: unknown, context: ToolContext) {
      await look(context.commandId, tool);
      return tool.handle(args, context);
    },
  });
  return createToolRegistry(harness.tools.list.map(watch));
}

async function modeOf({ facts }: CoordinatorHarness): Promise<Mode> {
  const stored = await facts.get('mode');
  return stored === undefined ? 'NORMAL' : ModeFact.parse(stored).mode;
}

async function hasLivingLease(scheduler: Scheduler, lease: Lease | null): Promise<boolean> {
  return lease !== null && (await scheduler.isCurrent(lease));
}

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      tool: fc.constantFrom('echo', 'hold', 'shell', 'check', 'nope'),
      line: fc.constantFrom('ls', 'touch a', 'rm -rf a', 'sudo reboot', 'git push', 'cat .env'),
      trust: fc.constantFrom('untrusted' as const, 'provisional' as const, 'trusted' as const),
      phase: fc.constantFrom('executor' as const, 'autonomous' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      nth: fc.nat(5),
      kind: fc.constantFrom('approve', 'approve', 'deny', 'modify' as const),
    }),
  },
  fc.record({ do: fc.constant('write' as const), path: fc.constantFrom('a', 'b') }),
  fc.record({
    do: fc.constant('mode' as const),
    mode: fc.constantFrom('NORMAL', 'ALERT', 'LOCKDOWN' as const),
  }),
  fc.record({ do: fc.constant('let go' as const), nth: fc.nat(3) }),
  fc.record({ do: fc.constant('time' as const), ms: fc.constantFrom(300, 40_000, 310_000) }),
  fc.record({ do: fc.constant('restart' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function take(
  next: Step,
  harness: CoordinatorHarness,
  { coordinator, writes }: Readonly<{ coordinator: Coordinator; writes: number }>,
): Promise<void> {
  switch (next.do) {
    case 'submit': {
      const { tool, line, trust, phase } = next;
      const args =
        tool === 'shell'
          ? { line }
          : tool === 'hold'
            ? { path: 'b' }
            : tool === 'check'
              ? {}
              : { text: line };
      harness.submit(coordinator, tool, args, { trust, phase });
      return;
    }
    case 'answer': {
      const asked = await coordinator.approvals.pending();
      const record = asked[next.nth % Math.max(1, asked.length)];
      if (record?.approval == null) return;
      const { id, approval } = record;
      const by = next.nth % 2 === 0 ? ANA : BEN;
      const expectHash = approval.callHash;
      const change = await changeTo(coordinator, id, { args: { line: 'touch b' } });
      const answer = next.kind === 'modify' ? { kind: next.kind, ...change } : { kind: next.kind };
      void coordinator.approvals.answer(id, answer, { by, expect: expectHash }).catch(() => undefined);
      return;
    }
    case 'write': {
      const standing = await harness.files.readText(next.path).catch(() => null);
      await harness.files
        .write(next.path, `${writes}\n`, { expected: standing?.hash ?? 'absent' })
        .catch(() => undefined);
      return;
    }
    case 'mode':
      await coordinator.setMode(next.mode, { by: 'ana', reason: 'because' });
      return;
    case 'let go': {
      const id = harness.tools.holding()[next.nth];
      if (id !== undefined) harness.tools.release(id);
      return;
    }
    case 'time':
      return harness.clock.advance(next.ms);
    case 'restart':
  }
}

test('a handler is called only for a running command that holds a lease and was allowed, whatever happens (D7, E8, S000-03, S000-92, S001-62, U-22)', async () => {
  let handled = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const harness = createHarness(SETTINGS);
      const breaches: Breach[] = [];
      const tools = watched(harness, breaches);
      let coordinator = await harness.start({ tools });
      for (const [n, next] of steps.entries()) {
        if (next.do === 'restart') {
          harness.kill();
          await harness.settle();
          coordinator = await harness.start({ tools });
        } else await take(next, harness, { coordinator, writes: n });
        await harness.settle();
      }
      handled += harness.tools.handled.length;
      expect(breaches).toEqual([]);
      const denied = harness.auditLines().filter(({ result }) => result === 'denied' || result === 'blocked');
      expect(
        denied.filter((line) => harness.tools.handled.includes(line['command_id'] as CommandId)),
      ).toEqual([]);
    }),
    { numRuns: 120 },
  );
  expect(handled).toBeGreaterThan(50);
});
