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
} from '../bubblewrap/seccomp-tables.ts';

/** `value` is the mask of `SCMP_CMP_MASKED_EQ`, and `valueTwo` the expected result (libseccomp(3)). */
type Comparison = {
  readonly index: number;
  readonly op: 'SCMP_CMP_EQ' | 'SCMP_CMP_GT' | 'SCMP_CMP_MASKED_EQ';
  readonly value: number;
  readonly valueTwo: number;
};

type Rule = {
  readonly names: readonly string[];
  readonly action: 'SCMP_ACT_ERRNO';
  readonly errnoRet: number;
  /** All must match. A rule compares each argument once, as libseccomp requires. */
  readonly args: readonly Comparison[];
};

export type SeccompProfile = {
  readonly defaultAction: 'SCMP_ACT_ALLOW';
  readonly architectures: readonly string[];
  readonly syscalls: readonly Rule[];
};

const NAMES: Readonly<Record<string, string>> = { x64: 'SCMP_ARCH_X86_64', arm64: 'SCMP_ARCH_AARCH64' };
/** The kernel reads only the low half of the argument. */
const LOW_HALF = 0xffffffff;

/**
 * The seccomp filter of bubblewrap as a profile for docker and podman, which replaces their own. Calls by
 * another interface of the processor (x32, 32-bit) kill the process, as libseccomp does.
 *
 * Null when there is no table for the architecture; then nothing may run confined.
 */
export function seccompProfile(architecture: string): SeccompProfile | null {
  const table = ARCHITECTURES[architecture];
  const name = NAMES[architecture];
  if (table === undefined || name === undefined) return null;
  const rules = [
    refuse(REFUSED, []),
    { ...refuse(ABSENT, []), errnoRet: ENOSYS },
    ...bitsOf(NEW_NAMESPACES).map((bit) => refuse(['clone', 'unshare'], [holds(0, bit)])),
    refuse(['unshare'], [holds(0, NEW_TIME_NAMESPACE)]),
    ...Object.entries(MODE_CALLS).flatMap(([call, mode]) =>
      bitsOf(SET_ID_MODES).map((bit) => refuse([call], [holds(mode, bit)])),
    ),
    ...Object.entries(OPEN_CALLS).flatMap(([call, [flags, mode]]) =>
      bitsOf(MAKES_FILE).flatMap((flag) =>
        bitsOf(SET_ID_MODES).map((bit) => refuse([call], [holds(flags, flag), holds(mode, bit)])),
      ),
    ),
    ...Object.entries(NODE_CALLS).flatMap(([call, mode]) => [
      ...bitsOf(SET_ID_MODES).map((bit) => refuse([call], [holds(mode, bit)])),
      ...DEVICES.map((kind) => refuse([call], [masked(mode, { mask: FILE_KIND, value: kind })])),
    ]),
    ...REFUSED_IOCTLS.map((request) => refuse(['ioctl'], [masked(1, { mask: LOW_HALF, value: request })])),
    ...refusedSockets(),
  ];
  return {
    defaultAction: 'SCMP_ACT_ALLOW',
    architectures: [name],
    syscalls: rules.flatMap((rule) => {
      const names = rule.names.filter((call) => call in table.calls);
      return names.length === 0 ? [] : [{ ...rule, names }];
    }),
  };
}

/**
 * A rule can't compare an argument with several values, so each family below the largest allowed one has its
 * own rule, and one covers all above it.
 */
function refusedSockets(): Rule[] {
  const last = Math.max(...ALLOWED_SOCKETS);
  const between = Array.from({ length: last }, (_, family) => family).filter(
    (family) => !ALLOWED_SOCKETS.includes(family),
  );
  return [
    ...between.map((family) => refuse(['socket'], [compare(0, 'SCMP_CMP_EQ', { value: family })])),
    refuse(['socket'], [compare(0, 'SCMP_CMP_GT', { value: last })]),
  ];
}

function refuse(names: readonly string[], args: readonly Comparison[]): Rule {
  return { names, action: 'SCMP_ACT_ERRNO', errnoRet: EPERM, args };
}

function holds(index: number, bit: number): Comparison {
  return masked(index, { mask: bit, value: bit });
}

function masked(index: number, { mask, value }: Readonly<{ mask: number; value: number }>): Comparison {
  return { index, op: 'SCMP_CMP_MASKED_EQ', value: mask, valueTwo: value };
}

function compare(
  index: number,
  op: 'SCMP_CMP_EQ' | 'SCMP_CMP_GT',
  { value }: Readonly<{ value: number }>,
): Comparison {
  return { index, op, value, valueTwo: 0 };
}

function bitsOf(flags: number): number[] {
  return Array.from({ length: 31 }, (_, at) => 2 ** at).filter((bit) => (flags & bit) !== 0);
}
