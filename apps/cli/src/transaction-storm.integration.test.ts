import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestHouse } from './testing/open-test-house.ts';

/** `SIGNALBOX_STORM=50`: commands of each of the eight providers, all at once. */
const EACH = Number(process.env['SIGNALBOX_STORM'] ?? 4);
const PROVIDERS = ['openai', 'anthropic', 'deepseek', 'google', 'mistral', 'xai', 'groq', 'ollama'];
const COUNTERS = [0, 1, 2, 3];

/** Nobody can foresee what a script writes; the line says it itself. Both read, add one and write. */
const SCRIPT = 'n=$(cat count-$1.txt); echo $((n + 1)) > count-$1.txt; echo x > made/$2';
const lineOf = (counter: number, name: string, isScript: boolean): string =>
  isScript
    ? `sh bump.sh ${counter} ${name}`
    : `n=$(cat count-${counter}.txt); echo $((n + 1)) > count-${counter}.txt; echo x > made/${name}`;

test.for(['conflict', 'rerun'] as const)(
  `${PROVIDERS.length} providers × ${EACH} commands at once on one tree lose no update and leave no ghost (%s)`,
  { timeout: 30_000 + EACH * 15_000 },
  async (onConflict) => {
    const counters = Object.fromEntries(COUNTERS.map((counter) => [`count-${counter}.txt`, '0\n']));
    await using own = await openTestHouse({
      files: { 'bump.sh': SCRIPT, 'made/.keep': '', ...counters },
      settings: {
        approval: { approval_mode: 'allow_all' },
        execution: { max_concurrent_executions: 16, max_queue_size: 1000, max_wait: '1h' },
        tools: { shell: { on_conflict: onConflict } },
      },
    });
    const before = readdirSync(own.workspace).toSorted();
    const wanted = PROVIDERS.flatMap((provider, p) =>
      Array.from({ length: EACH }, (_, i) => {
        const [counter, name] = [(i + p) % COUNTERS.length, `${provider}-${i}`];
        return { provider, counter, name, line: lineOf(counter, name, (i + p) % 3 > 0) };
      }),
    );
    const ended = await Promise.all(
      wanted.map(async (one) => {
        const { outcome } = await own.submit(one.provider, 'bash', { line: one.line }).result;
        return { ...one, outcome: outcome.kind };
      }),
    );
    const completed = ended.filter(({ outcome }) => outcome === 'completed');
    const allowed = onConflict === 'rerun' ? ['completed'] : ['completed', 'conflict'];
    expect(ended.filter(({ outcome }) => !allowed.includes(outcome))).toEqual([]);
    const counted = COUNTERS.map((counter) => Number(own.read(`count-${counter}.txt`)));
    expect(counted).toEqual(
      COUNTERS.map((counter) => completed.filter((one) => one.counter === counter).length),
    );
    const made = readdirSync(join(own.workspace, 'made')).toSorted();
    expect(made).toEqual(['.keep', ...completed.map(({ name }) => name)].toSorted());
    expect(readdirSync(own.workspace).toSorted()).toEqual(before);
    const commits = join(own.workspace, '.signalbox/commits');
    expect(
      readdirSync(commits, { recursive: true }).filter((path) => String(path).endsWith('swapping.json')),
    ).toEqual([]);
  },
);
