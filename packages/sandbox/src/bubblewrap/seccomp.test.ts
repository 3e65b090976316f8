import { describe, expect, test } from 'vitest';
import { seccompProfile } from '../containers/seccomp-profile.ts';
import { ABSENT, ARCHITECTURES, REFUSED } from './seccomp-tables.ts';
import { seccompFilter } from './seccomp.ts';

const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const KILL = 0x80000000;

describe.for(['x64', 'arm64'])('the filter for %s', (architecture) => {
  const filter = seccompFilter(architecture) ?? Buffer.alloc(0);
  const { audit = 0, calls = {} } = ARCHITECTURES[architecture] ?? {};
  const answer = (name: string, ...args: number[]): number =>
    judge(filter, { audit, call: calls[name] ?? -1, args });

  test.for([
    ['ptrace', [], EPERM],
    ['mount', [], EPERM],
    ['bpf', [], EPERM],
    ['keyctl', [], EPERM],
    ['io_uring_setup', [], ENOSYS],
    ['clone3', [], ENOSYS],
    ['unshare', [0x10000000], EPERM],
    ['unshare', [0x80], EPERM],
    ['unshare', [0x400], ALLOW],
    ['clone', [0x40000000], EPERM],
    ['clone', [0x003d0f00], ALLOW],
    ['clone', [0x01200011], ALLOW],
    ['ioctl', [1, 0x5412], EPERM],
    ['ioctl', [1, 0x541c], EPERM],
    ['ioctl', [1, 0x5401], ALLOW],
    ['socket', [1], ALLOW],
    ['socket', [2], ALLOW],
    ['socket', [10], ALLOW],
    ['socket', [16], ALLOW],
    ['socket', [17], EPERM],
    ['socket', [40], EPERM],
    ['fchmod', [3, 0o755], ALLOW],
    ['fchmod', [3, 0o4755], EPERM],
    ['fchmodat', [0, 0, 0o2755], EPERM],
    ['fchmodat', [0, 0, 0o1777], ALLOW],
    ['fchmodat2', [0, 0, 0o6755, 0], EPERM],
    ['openat', [0, 0, 0o101, 0o4755], EPERM],
    ['openat', [0, 0, 0o20200000, 0o2755], EPERM],
    ['openat', [0, 0, 0o101, 0o644], ALLOW],
    ['openat', [0, 0, 0, 0o6777], ALLOW],
    ['openat', [0, 0, 0o200000, 0o6777], ALLOW],
    ['openat2', [], ENOSYS],
    ['mknodat', [0, 0, 0o020666], EPERM],
    ['mknodat', [0, 0, 0o060666], EPERM],
    ['mknodat', [0, 0, 0o104755], EPERM],
    ['mknodat', [0, 0, 0o010666], ALLOW],
    ['mknodat', [0, 0, 0o100644], ALLOW],
  ] as const)('%s %j gets the expected answer', ([name, args, expected]) => {
    expect(answer(name, ...args)).toBe(expected);
    expect(judgeProfile(architecture, name, { args })).toBe(name in calls ? expected : ALLOW);
  });

  test('rejects every call of the tables that the architecture has', () => {
    const known = (names: readonly string[]): string[] => names.filter((name) => name in calls);
    const missing = [...REFUSED, ...ABSENT].filter((name) => !(name in calls));
    expect(missing).toEqual(architecture === 'x64' ? [] : ['iopl', 'ioperm', 'modify_ldt', 'uselib']);
    expect(new Set(known(REFUSED).map((name) => answer(name)))).toEqual(new Set([EPERM]));
    expect(new Set(known(ABSENT).map((name) => answer(name)))).toEqual(new Set([ENOSYS]));
    for (const name of [...known(REFUSED), ...known(ABSENT)])
      expect([name, judgeProfile(architecture, name, { args: [] })]).toEqual([name, answer(name)]);
  });

  test('gives a container the same answers as bubblewrap, and compares all 64 bits of arguments', () => {
    const values = [0, 1, 2, 3, 9, 10, 16, 17, 40, 0o755, 0o2000, 0o4755, 0o20666, 0x5412, 0x10000000, 0o101];
    for (const name of Object.keys(calls))
      for (const value of values)
        for (const other of [0o4755, 0o644]) {
          const args = [value, value, other, other];
          expect([name, args, judgeProfile(architecture, name, { args })]).toEqual([
            name,
            args,
            answer(name, ...args),
          ]);
        }
    expect(judgeProfile(architecture, 'ioctl', { args: [1, 2 ** 40 + 0x5412] })).toBe(EPERM);
    expect(judgeProfile(architecture, 'socket', { args: [2 ** 40 + 3] })).toBe(EPERM);
  });

  test('allows a common call, and kills for a call of another architecture', () => {
    expect(judge(filter, { audit, call: 1, args: [] })).toBe(ALLOW);
    expect(judge(filter, { audit: 0x40000003, call: 1, args: [] })).toBe(KILL);
  });
});

test('a call of the x32 interface kills, and an unknown architecture has no filter', () => {
  const filter = seccompFilter('x64') ?? Buffer.alloc(0);
  expect(judge(filter, { audit: 0xc000003e, call: 0x40000000 + 1, args: [] })).toBe(KILL);
  expect(seccompFilter('riscv64')).toBeNull();
});

/** Applies a profile as libseccomp does: the first rule of the call whose comparisons all hold, on all 64 bits. */
function judgeProfile(
  architecture: string,
  name: string,
  { args }: Readonly<{ args: readonly number[] }>,
): number {
  const rule = seccompProfile(architecture)?.syscalls.find(
    (one) =>
      one.names.includes(name) &&
      one.args.every(({ index, op, value, valueTwo }) => {
        const given = BigInt(args[index] ?? 0);
        if (op === 'SCMP_CMP_MASKED_EQ') return (given & BigInt(value)) === BigInt(valueTwo);
        return op === 'SCMP_CMP_EQ' ? given === BigInt(value) : given > BigInt(value);
      }),
  );
  return rule === undefined ? ALLOW : 0x00050000 + rule.errnoRet;
}

/** Runs classic BPF like the kernel (`net/core/filter.c`), for the six instructions we use. */
function judge(filter: Buffer, data: { audit: number; call: number; args: readonly number[] }): number {
  const words = new Map<number, number>([
    [0, data.call],
    [4, data.audit],
    ...data.args.map((value, index): [number, number] => [16 + 8 * index, value]),
  ]);
  let accumulator = 0;
  for (let at = 0; at < filter.length / 8; at++) {
    const code = filter.readUInt16LE(at * 8);
    const [ifTrue, ifFalse] = [filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3)];
    const value = filter.readUInt32LE(at * 8 + 4);
    if (code === 0x06) return value;
    if (code === 0x20) accumulator = words.get(value) ?? 0;
    else if (code === 0x54) accumulator &= value;
    else {
      const holds =
        code === 0x15
          ? accumulator === value
          : code === 0x35
            ? accumulator >= value
            : (accumulator & value) !== 0;
      at += holds ? ifTrue : ifFalse;
    }
  }
  throw new Error('the filter ended without an answer');
}
