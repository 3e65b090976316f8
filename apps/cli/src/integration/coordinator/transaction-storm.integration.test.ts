import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';

/** `SIGNALBOX_STORM=50`: commands of each of the eight providers, all at once. */
const EACH = Number(process.env['SIGNALBOX_STORM'] ?? 3);
const PROVIDERS = ['openai', 'anthropic', 'deepseek', 'google', 'mistral', 'xai', 'groq', 'ollama'];
const COUNTERS = [0, 1, 2, 3];

/** A script's writes are unforeseeable; a line declares them. Both read, add one and write. */
const bump = (counter: string, name: string): string =>
  `n=$(cat count-${counter}.txt); echo $((n + 1)) > count-${counter}.txt; echo x > made/${name}`;
const SCRIPT = bump('$1', '$2');
/** Every other merged one ticks its own line of one file instead of counting. */
const TICK = 'sed -i "s/^$1 open$/$1 done/" board.txt; echo x > made/$1';
const lineOf = (counter: number, name: string, { isScript }: Readonly<{ isScript: boolean }>): string =>
  isScript ? `sh bump.sh ${counter} ${name}` : bump(`${counter}`, name);

test.for(['conflict', 'merge', 'rerun'] as const)(
  `${PROVIDERS.length} providers × ${EACH} concurrent commands in one tree lose no update and leave nothing behind (%s)`,
  { timeout: 30_000 + EACH * 15_000 },
  async (onConflict) => {
    const counters = Object.fromEntries(COUNTERS.map((counter) => [`count-${counter}.txt`, '0\n']));
    const wanted = PROVIDERS.flatMap((provider, p) =>
      Array.from({ length: EACH }, (_, i) => {
        const [counter, name] = [(i + p) % COUNTERS.length, `${provider}-${i}`];
        if (onConflict === 'merge' && i % 2 === 0)
          return { provider, counter: null, name, line: `sh tick.sh ${name}` };
        return { provider, counter, name, line: lineOf(counter, name, { isScript: (i + p) % 3 > 0 }) };
      }),
    );
    const rowsOf = (isDone: (name: string) => boolean): string =>
      wanted.map(({ name }) => `${name} ${isDone(name) ? 'done' : 'open'}\n\n\n`).join('');
    await using own = await openTestRuntime({
      files: {
        'bump.sh': SCRIPT,
        'tick.sh': TICK,
        'board.txt': rowsOf(() => false),
        'made/.keep': '',
        ...counters,
      },
      settings: {
        approval: { approval_mode: 'allow_all' },
        execution: { max_concurrent_executions: 16, max_queue_size: 1000, max_wait: '1h' },
        tools: { shell: { on_conflict: onConflict } },
      },
    });
    const before = readdirSync(own.workspace).toSorted();
    const began = performance.now();
    const ended = await Promise.all(
      wanted.map(async (one) => {
        const { outcome } = await own.submit(one.provider, 'bash', { args: { line: one.line } }).result;
        return { ...one, outcome: outcome.kind };
      }),
    );
    const completed = ended.filter(({ outcome }) => outcome === 'completed');
    if (EACH > 3) {
      const seconds = ((performance.now() - began) / 1000).toFixed(0);
      process.stdout.write(
        `${onConflict}: ${completed.length} of ${ended.length} completed in ${seconds} s\n`,
      );
    }
    const allowed = onConflict === 'rerun' ? ['completed'] : ['completed', 'conflict'];
    expect(ended.filter(({ outcome }) => !allowed.includes(outcome))).toEqual([]);
    const counted = COUNTERS.map((counter) => Number(own.read(`count-${counter}.txt`)));
    expect(counted).toEqual(
      COUNTERS.map((counter) => completed.filter((one) => one.counter === counter).length),
    );
    const made = readdirSync(join(own.workspace, 'made')).toSorted();
    expect(made).toEqual(['.keep', ...completed.map(({ name }) => name)].toSorted());
    const ticked = new Set(completed.flatMap(({ counter, name }) => (counter === null ? [name] : [])));
    expect(own.read('board.txt')).toBe(rowsOf((name) => ticked.has(name)));
    expect(readdirSync(own.workspace).toSorted()).toEqual(before);
    const commits = join(own.workspace, '.signalbox/commits');
    expect(
      readdirSync(commits, { recursive: true }).filter((path) => String(path).endsWith('swapping.json')),
    ).toEqual([]);
  },
);
