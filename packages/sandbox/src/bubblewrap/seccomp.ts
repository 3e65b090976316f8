import {
  ABSENT,
  ALLOWED_SOCKETS,
  ARCHITECTURES,
  DEVICES,
  ENOSYS,
  EPERM,
  FILE_KIND,
  MAKES_FILE,
  MODE_CALLS,
  NEW_NAMESPACES,
  NEW_TIME_NAMESPACE,
  NODE_CALLS,
  OPEN_CALLS,
  REFUSED,
  REFUSED_IOCTLS,
  SET_ID_MODES,
} from './seccomp-tables.ts';

/** Classic BPF as `include/uapi/linux/bpf_common.h` and `seccomp.h` define it. */
const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_SET = 0x45;
const AND = 0x54;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const ERRNO = 0x00050000;
const KILL_PROCESS = 0x80000000;

/** Offsets in `struct seccomp_data`. For arguments, that of the low half: both architectures are little-endian. */
const CALL_NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number): number => 16 + 8 * index;

type Instruction = readonly [code: number, value: number, ifTrue?: number, ifFalse?: number];

/**
 * Builds the seccomp filter for `bwrap --seccomp`: every call is allowed except those in the tables.
 *
 * Null when there is no table for the architecture; then nothing may run confined.
 */
export function seccompFilter(architecture: string): Buffer | null {
  const table = ARCHITECTURES[architecture];
  if (table === undefined) return null;
  const { calls } = table;
  const refuse = (names: readonly string[], errno: number): Instruction[] =>
    names.flatMap((name) => {
      const call = calls[name];
      return call === undefined ? [] : whenEqual(call, [[RETURN, ERRNO | errno]]);
    });
  const whenCall = (name: string, then: readonly Instruction[]): Instruction[] => {
    const call = calls[name];
    return call === undefined ? [] : whenEqual(call, [...then, [RETURN, ALLOW]]);
  };
  return encode([
    [LOAD, ARCHITECTURE],
    [JUMP_IF_EQUAL, table.audit, 1, 0],
    [RETURN, KILL_PROCESS],
    [LOAD, CALL_NUMBER],
    ...(table.x32Bit === null ? [] : x32Killed(table.x32Bit)),
    ...refuse(REFUSED, EPERM),
    ...refuse(ABSENT, ENOSYS),
    ...whenCall('clone', refuseFlags(0, NEW_NAMESPACES)),
    ...whenCall('unshare', refuseFlags(0, NEW_NAMESPACES | NEW_TIME_NAMESPACE)),
    ...Object.entries(MODE_CALLS).flatMap(([name, mode]) => whenCall(name, refuseFlags(mode, SET_ID_MODES))),
    ...Object.entries(OPEN_CALLS).flatMap(([name, [flags, mode]]) =>
      whenCall(name, [
        [LOAD, argument(flags)],
        // Without these flags the mode argument is undefined.
        [JUMP_IF_SET, MAKES_FILE, 1, 0],
        [RETURN, ALLOW],
        ...refuseFlags(mode, SET_ID_MODES),
      ]),
    ),
    ...Object.entries(NODE_CALLS).flatMap(([name, mode]) =>
      whenCall(name, [
        ...refuseFlags(mode, SET_ID_MODES),
        [AND, FILE_KIND],
        ...DEVICES.flatMap((kind) => whenEqual(kind, [[RETURN, ERRNO | EPERM]])),
      ]),
    ),
    ...whenCall('ioctl', [
      [LOAD, argument(1)],
      ...REFUSED_IOCTLS.flatMap((request) => whenEqual(request, [[RETURN, ERRNO | EPERM]])),
    ]),
    ...whenCall('socket', [
      [LOAD, argument(0)],
      ...ALLOWED_SOCKETS.flatMap((family) => whenEqual(family, [[RETURN, ALLOW]])),
      [RETURN, ERRNO | EPERM],
    ]),
    [RETURN, ALLOW],
  ]);
}

function x32Killed(bit: number): Instruction[] {
  return [
    [JUMP_IF_AT_LEAST, bit, 0, 1],
    [RETURN, KILL_PROCESS],
  ];
}

/** Keeps the argument loaded. */
function refuseFlags(index: number, flags: number): Instruction[] {
  return [
    [LOAD, argument(index)],
    [JUMP_IF_SET, flags, 0, 1],
    [RETURN, ERRNO | EPERM],
  ];
}

function whenEqual(value: number, then: readonly Instruction[]): Instruction[] {
  return [[JUMP_IF_EQUAL, value, 0, then.length], ...then];
}

/** `struct sock_filter`: u16 code, u8 jump if true, u8 jump if false, u32 value. */
function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, value, ifTrue = 0, ifFalse = 0]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return bytes;
}
