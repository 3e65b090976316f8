import * as z from 'zod';
import { PathPattern } from '../rules/path-pattern.ts';
import { BOUNDS, Hosts, NetworkFor } from './sandbox-bounds.ts';
import { getIn, isRecord, setIn } from '../keys/settings-path.ts';
import { commonHosts, commonPaths, laterOf, lowest, type Strictest, union } from '../layers/strictest.ts';

/** A label that a worker offers. */
const Label = z.string().regex(/^[a-z0-9][a-z0-9_.-]{0,31}$/);

/**
 * The sandbox of one provider's or one tool's commands (S003-80). It is combined with the common one and the strictest
 * wins: a profile only narrows.
 */
export const SandboxProfile = z.strictObject({
  network: z.strictObject({ commands: NetworkFor, hosts: Hosts }).partial().optional(),
  resource_limits: z.strictObject(BOUNDS).partial().optional(),
  /** A part of what the common sandbox shows of the home. */
  readable_home: z.array(PathPattern).optional(),
  /** More unreadable paths, for file tools too. */
  deny_read: z.array(PathPattern).optional(),
  /** Labels that a worker must offer to run them, where workers do. */
  labels: z.array(Label).optional(),
});
export type SandboxProfile = z.infer<typeof SandboxProfile>;

export const strictestNetworkFor = laterOf(undefined, 'all', 'approved', 'none');

const KEYS: Readonly<Record<string, Strictest>> = {
  'network.commands': strictestNetworkFor,
  'network.hosts': commonHosts,
  readable_home: commonPaths,
  deny_read: union,
  labels: union,
  ...Object.fromEntries(Object.keys(BOUNDS).map((key) => [`resource_limits.${key}`, lowest])),
};

/** How a shared file may change one of your profiles: every key only towards the stricter. */
export const strictestProfile: Strictest = (own, shared) => combine(own, shared, { at: '' });

/** Memory of an untrusted provider's commands unless its own profile sets another. */
export const UNTRUSTED_MEMORY_MB = 512;

const MEMORY = ['resource_limits', 'max_memory_mb'] as const;

/** As {@link strictestProfile}: a shared file does not raise the limit of an untrusted provider. */
export const strictestProfileOfProvider: Strictest = (own, shared) => {
  const combined = strictestProfile(own, shared);
  if (getIn(own, MEMORY) !== undefined) return combined;
  const { ignored } = lowest(UNTRUSTED_MEMORY_MB, getIn(shared, MEMORY));
  return ignored ? { value: setIn(combined.value, MEMORY, { next: undefined }), ignored } : combined;
};

function combine(own: unknown, shared: unknown, { at }: Readonly<{ at: string }>): ReturnType<Strictest> {
  const strictest = KEYS[at];
  if (strictest !== undefined) return strictest(own, shared);
  // An invalid profile is reported when the settings are parsed.
  if (!isRecord(shared)) return { value: shared, ignored: false };
  const mine = isRecord(own) ? own : {};
  const combined = Object.entries(shared).map(([key, theirs]) => {
    const { value, ignored } = combine(mine[key], theirs, { at: at === '' ? key : `${at}.${key}` });
    return { key, value, ignored };
  });
  return {
    value: { ...mine, ...Object.fromEntries(combined.map(({ key, value }) => [key, value])) },
    ignored: combined.some(({ ignored }) => ignored),
  };
}
