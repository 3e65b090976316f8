import * as z from 'zod';
import { parseTarget } from '../../network/host.ts';
import { whyVariableRefused } from '../../refused-variable.ts';
import { PathPattern } from '../rules/path-pattern.ts';
import { BOUNDS, Hosts, NetworkFor } from './sandbox-bounds.ts';

const ResourceLimits = z.strictObject({
  /** `null`: half of the machine's memory, at least 4 GiB if it has that much; 512 MiB for untrusted providers. */
  max_memory_mb: BOUNDS.max_memory_mb.nullable().default(null),
  max_cpu_percent: BOUNDS.max_cpu_percent.default(80),
  timeout_ms: BOUNDS.timeout_ms.prefault(300_000),
  max_processes: BOUNDS.max_processes.default(256),
  max_file_mb: BOUNDS.max_file_mb.default(1024),
  /** `null`: a quarter of the machine's memory, 2 GiB at most. */
  max_written_mb: BOUNDS.max_written_mb.nullable().default(null),
  max_written_files: BOUNDS.max_written_files.default(500_000),
  max_open_files: BOUNDS.max_open_files.default(1024),
});

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1']);

/** A service on this machine's loopback, such as a database: `127.0.0.1:5432`, `localhost:6379`, `[::1]:3306`. */
export const ServiceAddress = z
  .string()
  .max(100)
  .refine(
    (written) => {
      const target = parseTarget(written);
      return target !== null && LOOPBACK.has(target.host.text);
    },
    { error: 'must be a port of this machine: "127.0.0.1:5432"' },
  );

/** Which hosts commands may talk to (G7, K3). */
const Network = z.strictObject({
  commands: NetworkFor.default('approved'),
  /** `null`: those that the call names, and every public one when it names none. */
  hosts: Hosts.nullable().default(null),
  /** Hosts that a person agreed to, by purpose: reached without approval when undo covers the rest. */
  agreed: z
    .strictObject({
      packages: Hosts.default([]),
      remotes: Hosts.default([]),
      localhost: Hosts.default([]),
    })
    .prefault({}),
  /** Ports of this machine that shell lines also reach, such as a database's: `127.0.0.1:5432`. */
  services: z.array(ServiceAddress).max(20).default([]),
  /** `machine`: the machine's own network, unwatched; `hosts` can't be enforced then. */
  through: z.enum(['gate', 'machine']).default('gate'),
});

/** For machines on which bubblewrap does not work; only your own files can set it. */
const Container = z
  .strictObject({
    /** Program of docker or podman, and its options. */
    engine: z.tuple([z.string().min(1)], z.string()).readonly(),
    /** An existing one, with `/bin/bash` and the programs that commands need. */
    image: z.string().min(1),
  })
  .readonly();

/** A relative path that does not lead upwards. */
function isBelow(path: string): boolean {
  return !path.startsWith('/') && !path.split('/').includes('..');
}

/** How a command's process is confined (S003-41, S003-58). */
export const SandboxSettings = z.strictObject({
  /** `false` has no effect in any file: only the operator's own flag on the command line disables confinement. */
  enabled: z.boolean().default(true),
  /** Where shell lines start, relative to the workspace; `null` is the workspace itself. */
  working_dir: z
    .string()
    .min(1)
    .refine(isBelow, 'must be a folder below the workspace')
    .nullable()
    .default(null),
  /** Reads and writes are limited to these; the workspace is the hard bound in any case. */
  allowed_paths: z.array(PathPattern).default(['.']),
  /** Added to the clean environment of every shell line. */
  env_vars: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string())
    .superRefine((variables, context) => {
      for (const [name, value] of Object.entries(variables)) {
        const why = whyVariableRefused(name, value);
        if (why === null) continue;
        context.addIssue({ code: 'custom', path: [name], message: `${why}: remove it`, input: value });
      }
    })
    .default({}),
  /** Below the home, read-only; folders of keys stay hidden. */
  readable_home: z.array(PathPattern).default([]),
  network: Network.prefault({}),
  container: Container.nullable().default(null),
  resource_limits: ResourceLimits.prefault({}),
});
