/** A part of a soak: one run of the load tester, and what is killed meanwhile. */
export type SoakPhase = Readonly<{
  name: string;
  /** Its part of the time, in percent. */
  share: number;
  backend: 'embedded' | 'redis';
  /** Of `signalbox bench`, besides its time, seed and Redis. */
  argv: readonly string[];
  /** Workers, of which one is killed at each interval. 0: programs run in the coordinators. */
  workers: number;
  killWorkerEveryMs: number | null;
  /** Redis is killed and started again. */
  killRedisEveryMs: number | null;
  /** Whether one process lives through the phase, whose memory must not grow. */
  isMemoryMeasured: boolean;
}>;

const NOTHING_ELSE = { workers: 0, killWorkerEveryMs: null, killRedisEveryMs: null } as const;

/** Sixteen agents: some wait for each other at any time. */
const AGENTS = ['--agents', '16'] as const;

export const PHASES: readonly SoakPhase[] = [
  {
    name: 'one coordinator, nothing killed',
    share: 30,
    backend: 'embedded',
    argv: ['mixed', ...AGENTS, '--monitored'],
    ...NOTHING_ELSE,
    isMemoryMeasured: true,
  },
  {
    name: 'its coordinator killed every 10 s',
    share: 25,
    backend: 'embedded',
    argv: ['chaos', ...AGENTS, '--kill-rate', '0.1', '--monitored'],
    ...NOTHING_ELSE,
    isMemoryMeasured: false,
  },
  {
    name: 'four coordinators on Redis, one killed every 5 s',
    share: 20,
    backend: 'redis',
    argv: ['mixed', ...AGENTS, '--workers', '3', '--kill-rate', '0.2', '--monitored'],
    ...NOTHING_ELSE,
    isMemoryMeasured: true,
  },
  {
    name: 'coordinators, workers and Redis killed',
    share: 25,
    backend: 'redis',
    argv: ['mixed', ...AGENTS, '--mix', '30:30:40:0', '--workers', '2', '--kill-rate', '0.1'],
    workers: 2,
    killWorkerEveryMs: 15_000,
    killRedisEveryMs: 40_000,
    isMemoryMeasured: false,
  },
];
