import { CallHash, type CommandId } from '@signalbox/core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Coordinator } from '../coordinator-api.ts';
import { createHarness, type CoordinatorHarness } from '../testing/coordinator-harness.ts';

const EXPIRY_MS = 300_000;
const STALE = CallHash.parse('0'.repeat(64));
const SETTINGS = {
  approval: { expiry: '5m', on_expiry: 'deny' },
  rules: [{ id: 'two', ask: { program: 'touch', args: ['two-*'] }, approvers: 2 }],
};

/** The expected state of one approval. */
type Question = {
  readonly id: CommandId;
  readonly path: string;
  readonly approvers: 1 | 2;
  status: 'open' | 'granted' | 'refused' | 'expired';
  yes: string[];
  expiresAt: number;
  asked: number;
  /** Number of changes of the file it would touch: made, and seen when it was last requested. */
  changes: number;
  seen: number;
};

const person = fc.constantFrom('ana', 'ben', 'cleo');
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      approvers: fc.constantFrom(1 as const, 2 as const),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      nth: fc.nat(3),
      by: person,
      says: fc.constantFrom('approve', 'approve', 'approve', 'deny' as const),
      sawOther: fc.constantFrom(true, false, false, false),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('write' as const), nth: fc.nat(3) }) },
  fc.record({ do: fc.constant('time' as const), ms: fc.constantFrom(1000, 120_000, EXPIRY_MS) }),
  fc.record({ do: fc.constant('restart' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** The expected answer of the service; also updates the expected state. */
function answerOf(question: Question, now: number, answer: Step & { do: 'answer' }): string {
  if (question.status !== 'open') return 'already-decided';
  if (answer.sawOther) return 'changed';
  if (answer.says === 'deny') {
    question.status = 'refused';
    return 'refused';
  }
  if (question.yes.includes(answer.by)) return 'same-person';
  if (question.changes !== question.seen) {
    Object.assign(question, {
      yes: [],
      seen: question.changes,
      expiresAt: now + EXPIRY_MS,
      asked: question.asked + 1,
    });
    return 'files-changed';
  }
  question.yes.push(answer.by);
  if (question.yes.length < question.approvers) return 'counted';
  question.status = 'granted';
  return 'granted';
}

async function ask(
  harness: CoordinatorHarness,
  coordinator: Coordinator,
  { approvers, n }: Readonly<{ approvers: 1 | 2; n: number }>,
): Promise<Question> {
  const path = `${approvers === 2 ? 'two' : 'one'}-${n}`;
  const { commandId, resting } = harness.submit(coordinator, 'shell', { line: `touch ${path}` });
  expect(await resting).toBe('pending');
  const expiresAt = harness.clock.now() + EXPIRY_MS;
  return {
    id: commandId,
    path,
    approvers,
    status: 'open',
    yes: [],
    expiresAt,
    asked: 1,
    changes: 0,
    seen: 0,
  };
}

async function say(
  harness: CoordinatorHarness,
  coordinator: Coordinator,
  { question: { id }, given }: Readonly<{ question: Question; given: Step & { do: 'answer' } }>,
) {
  const { approval } = await harness.record(id);
  if (approval === null) throw new Error('nothing asked');
  const by = { name: given.by, channel: 'test' } as const;
  const said = await coordinator.approvals.answer(
    id,
    { kind: given.says },
    { by, expect: given.sawOther ? STALE : approval.callHash },
  );
  return said.kind;
}

test('after any sequence of approvals, denials, changes, expiries and restarts each approval has the outcome of its model', async () => {
  const kinds = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 40 }), async (steps) => {
      const harness = createHarness(SETTINGS);
      let coordinator = await harness.start();
      const questions: Question[] = [];
      const answers: { n: number; expected: string; got: string }[] = [];
      const passTime = async (ms: number): Promise<void> => {
        await harness.clock.advance(ms);
        const now = harness.clock.now();
        for (const one of questions)
          if (one.status === 'open' && now >= one.expiresAt) one.status = 'expired';
      };
      for (const [n, next] of steps.entries()) {
        if (next.do === 'ask')
          questions.push(await ask(harness, coordinator, { approvers: next.approvers, n }));
        if (next.do === 'time') await passTime(next.ms);
        if (next.do === 'restart') {
          harness.kill();
          await harness.settle();
          coordinator = await harness.start();
        }
        const question = 'nth' in next ? questions[next.nth % Math.max(1, questions.length)] : undefined;
        if (next.do === 'write' && question !== undefined) {
          const standing = await harness.files.readText(question.path).catch(() => null);
          await harness.files.write(question.path, `${n}\n`, { expected: standing?.hash ?? 'absent' });
          question.changes = n;
        }
        if (next.do === 'answer' && question !== undefined) {
          const expected = answerOf(question, harness.clock.now(), next);
          kinds.add(expected);
          answers.push({ n, expected, got: await say(harness, coordinator, { question, given: next }) });
        }
        await harness.settle();
      }
      await passTime(EXPIRY_MS);

      expect(answers.filter(({ expected, got }) => expected !== got)).toEqual([]);
      const granted = questions.filter(({ status }) => status === 'granted');
      expect(harness.requests.map(({ commandId }) => commandId).toSorted()).toEqual(
        granted.map(({ id }) => id).toSorted(),
      );
      const lines = harness.auditLines();
      const requests = await harness.reported('approval_requested');
      for (const { id, status, asked, yes } of questions) {
        const own = lines.filter((line) => line['command_id'] === id);
        expect(own.map(({ result }) => result)).toEqual([status === 'granted' ? 'completed' : 'denied']);
        const said = own[0]?.['answers'] as { by: string; answer: string }[];
        expect(said.filter((one) => one.answer === 'granted').map(({ by }) => by)).toEqual(yes);
        expect(said.some((one) => one.answer === 'refused')).toBe(status === 'refused');
        expect((await harness.record(id)).approval?.status).toBe(status);
        expect(requests.filter((event) => 'commandId' in event && event.commandId === id)).toHaveLength(
          asked,
        );
      }
    }),
    { numRuns: 200 },
  );
  expect([...kinds].toSorted()).toEqual([
    'already-decided',
    'changed',
    'counted',
    'files-changed',
    'granted',
    'refused',
    'same-person',
  ]);
});
