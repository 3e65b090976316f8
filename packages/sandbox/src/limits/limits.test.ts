import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { Execution, ExecutionRequest } from '@signalbox/core';
import { aShellRequest } from '@signalbox/core/testing';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { createHarness, type SandboxHarness } from '../testing/sandbox-harness.ts';

const RUN_ONE = inject('runOne');
const AS_USER = ['--reuid=65534', '--regid=65534', '--clear-groups'];

/** Ends bash at its first message, as it would retry a fork for longer than the test lasts. */
const END_AT_ITS_FIRST_WORD = 'exec 3>&2 2> >(read -r said; echo "$said" >&3; kill -KILL $$)';

const limited = (limits: Partial<ExecutionRequest['limits']>): Partial<ExecutionRequest> => ({
  limits: { ...aShellRequest('').limits, ...limits },
});

/** Uses this much CPU time by its own count, in a grandchild process. */
const spin = (seconds: number): string =>
  `${process.execPath} -e "while (process.cpuUsage().user + process.cpuUsage().system < ${seconds}e6);"`;

type Run = (line: string, more?: Partial<ExecutionRequest>) => Promise<Execution>;

/** As root with control groups if the machine has them, and as an ordinary user without. */
const ways: Record<string, (harness: SandboxHarness) => Run | null> = {
  'as the current user': (harness) => (line, more) => harness.run(line, more),
  'as an ordinary user': (harness) => {
    if (spawnSync('/usr/bin/setpriv', [...AS_USER, 'test', '-r', RUN_ONE]).status !== 0) return null;
    spawnSync('chown', ['-R', '65534:65534', harness.folder]);
    return async (line, more = {}) => {
      const argv = [...AS_USER, process.execPath, RUN_ONE, harness.optionsJson, line, JSON.stringify(more)];
      return JSON.parse(spawnSync('/usr/bin/setpriv', argv, { encoding: 'utf8' }).stdout) as Execution;
    };
  },
};

describe('a limit', () => {
  describe.each(Object.entries(ways))('%s', (_, runOn) => {
    let harness: SandboxHarness;
    let run: Run;
    beforeEach(({ skip }) => {
      // Enough time to stop on a busy machine.
      harness = createHarness({ transactions: 'where-possible', graceMs: 20_000 });
      run = runOn(harness) ?? skip('needs root');
    });
    afterEach(() => harness.close());

    test('of CPU time holds a command to its share, and is reported (G4, S003-38, S003-69)', async () => {
      const cpuPercent = Math.ceil(10 / availableParallelism());
      const spun = () => run(spin(0.5), limited({ cpuPercent }));
      let done = await spun();
      // Retried if other processes left it less than that share, so there was nothing to throttle.
      while (done.limitsReached === undefined) done = await spun();
      expect(done.ended).toEqual({ kind: 'exited', exitCode: 0 });
      expect(done.durationMs).toBeGreaterThan(1800);
      expect(done.limitsReached).toEqual([{ limit: 'max_cpu_percent', allowed: cpuPercent, used: null }]);
      expect(done.isolation.limits.cpu.strength).toMatch(/enforced|sampled/);
    });

    test('of CPU time does not prevent stopping a paused command', async () => {
      const line = `trap 'echo bye; exit 3' TERM; ${spin(60)} & wait`;
      const done = await run(line, limited({ cpuPercent: 5, timeoutMs: 2500 }));
      expect(done.ended).toEqual({ kind: 'timed_out', timeoutMs: 2500 });
      expect(done.stdout.text).toBe('bye\n');
    });

    test('of memory ends a command that uses more, and is reported (S003-38, S003-69)', async () => {
      const line = `${process.execPath} -e "const all = []; for (;;) all.push(Buffer.alloc(2e6, 1)); "`;
      const done = await run(line, limited({ memoryBytes: 200 * 1024 ** 2 }));
      expect(done.ended).toEqual({ kind: 'limited', limit: 'max_memory_mb' });
      expect(done.limitsReached).toMatchObject([{ limit: 'max_memory_mb', allowed: 200 }]);
      expect(done.limitsReached?.[0]?.used).toBeGreaterThanOrEqual(180);
    });

    test('of file size, open files and processes is reported by name (S000-58)', async () => {
      const file = await run('head -c 3000000 /dev/zero >x; true', limited({ fileBytes: 1024 ** 2 }));
      expect(file.limitsReached).toEqual([{ limit: 'max_file_mb', allowed: 1, used: null }]);
      const opening = `${process.execPath} -e "for (;;) require('fs').openSync('/dev/null')"`;
      const open = await run(opening, limited({ openFiles: 64 }));
      expect(open.limitsReached).toEqual([{ limit: 'max_open_files', allowed: 64, used: null }]);
      const processes = await run(
        `${END_AT_ITS_FIRST_WORD}; for i in {1..40}; do sleep 600 & done`,
        limited({ processes: 20 }),
      );
      expect(processes.isolation.limits.processes.strength).toBe('enforced');
      expect(processes.limitsReached).toEqual([{ limit: 'max_processes', allowed: 20, used: null }]);
    });

    test('of written bytes and names holds on an overlay', async () => {
      const bytes = await run(
        'for i in {1..40}; do head -c 100000 /dev/zero >f$i || break; done',
        limited({ writtenBytes: 2 * 1024 ** 2 }),
      );
      expect(bytes.stderr.text).toContain('No space left on device');
      expect(bytes.limitsReached).toEqual([{ limit: 'max_written_mb', allowed: 2, used: 2 }]);
      expect(bytes.usage.writtenBytes).toBeGreaterThan(1.9e6);
      const names = await run('mkdir d && touch d/{1..200}', limited({ writtenFiles: 100 }));
      expect(names.limitsReached).toEqual([{ limit: 'max_written_files', allowed: 100, used: null }]);
    });

    test('counts the CPU time of the whole tree within 5 %, including orphans (finding 8)', async () => {
      const line = `${spin(0.6)} & ${spin(0.6)} & (setsid ${spin(0.6)} >/dev/null 2>&1 & ) ; wait; sleep 2`;
      const done = await run(line, limited({ memoryBytes: 2 ** 31 }));
      const alone = await run(
        `${process.execPath} -e 0 & ${process.execPath} -e 0 & ${process.execPath} -e 0 & wait`,
      );
      // The program's own count misses only the first milliseconds of Node.js.
      expect(done.usage.cpuMs).toBeGreaterThan(1800 * 0.95);
      expect(done.usage.cpuMs).toBeLessThan((1800 + (alone.usage.cpuMs ?? 0)) * 1.05);
    });
  });
});
