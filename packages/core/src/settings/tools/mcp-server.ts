import * as z from 'zod';
import { isLocalhost, parseHost } from '../../network/host.ts';
import { Risk, ToolCategory } from '../../tools/tool.ts';
import type { ServiceLimits } from '../../ports/services.ts';
import { Duration } from '../duration.ts';
import { PathPattern } from '../rules/path-pattern.ts';
import { BOUNDS } from '../sandbox/sandbox-bounds.ts';
import type { RuleLayer } from '../rules/user-rule.ts';

const VariableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'must be the name of an environment variable' });
const HeaderName = z.string().regex(/^[A-Za-z0-9-]{1,128}$/, { error: 'must be the name of an HTTP header' });
const text = z
  .string()
  .max(4096)
  .refine((written) => !written.includes('\0'), { error: 'must not contain a NUL' });
const headerText = text.refine((written) => !/[\r\n]/.test(written), { error: 'must be one line' });

/** Settings of a server's tools. A missing one counts as the worst that the server could do. */
const ToolWords = {
  category: ToolCategory.optional(),
  risk: Risk.optional(),
  policy: z.enum(['auto', 'requires_approval']).optional(),
  /** Paths that a call may read: it holds them to read. Absent: everything the server can reach. */
  reads: z.array(PathPattern).max(64).optional(),
  /** Paths that a call may write: it holds them to write. Absent: everything the server can reach. */
  writes: z.array(PathPattern).max(64).optional(),
} as const;

const ToolOfServer = z.strictObject({ enabled: z.boolean().default(true), ...ToolWords });

/** A server as a file writes it: a program (`command`), or an address (`url`). */
const Written = z.strictObject({
  enabled: z.boolean().default(true),
  /** A program that speaks the protocol on its standard input and output; no shell reads it. */
  command: text.min(1).optional(),
  args: z.array(text).max(200).optional(),
  /** Variables with their values; secrets belong in `env_from`. */
  env: z.record(VariableName, text).optional(),
  /** Variables of our own environment that it gets too. */
  env_from: z.array(VariableName).max(64).optional(),
  /** Folder of the workspace that it starts in. */
  cwd: text.min(1).optional(),
  /** Off: it runs with all rights of the user who started Signalbox. */
  sandbox: z.boolean().optional(),
  /** Its access to the workspace. */
  workspace: z.enum(['none', 'read', 'write']).optional(),
  /** Whether it may talk to other machines. */
  network: z.boolean().optional(),
  /** For all its processes together, in the sandbox. */
  max_memory_mb: BOUNDS.max_memory_mb.optional(),
  max_processes: BOUNDS.max_processes.optional(),
  url: z.string().max(4096).optional(),
  headers: z.record(HeaderName, headerText).optional(),
  /** Headers whose value is that of an environment variable. */
  headers_from: z.record(HeaderName, VariableName).optional(),
  /** Variable that holds a token, which is sent as `Authorization: Bearer`. */
  token_from: VariableName.optional(),
  /** For one call. */
  timeout: Duration.prefault('60s'),
  /** Until it has listed its tools. */
  start_timeout: Duration.prefault('15s'),
  ...ToolWords,
  /** The server's own statements about a tool apply where settings say nothing. Off: only stricter ones apply. */
  trust_annotations: z.boolean().default(false),
  /** Single tools, by the server's own name. */
  tools: z.record(z.string().min(1).max(128), ToolOfServer).default({}),
});

const OF_PROGRAMS = [
  ...(['args', 'env', 'env_from', 'cwd', 'sandbox', 'workspace', 'network'] as const),
  ...(['max_memory_mb', 'max_processes'] as const),
];
const OF_ADDRESSES = ['headers', 'headers_from', 'token_from'] as const;

export type McpToolWords = Pick<
  z.output<typeof ToolOfServer>,
  'category' | 'risk' | 'policy' | 'reads' | 'writes'
>;

export type McpProgram = {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly envFrom: readonly string[];
  /** Relative to the workspace. */
  readonly cwd: string;
  readonly sandbox: boolean;
  readonly workspace: 'none' | 'read' | 'write';
  readonly network: boolean;
  readonly limits: ServiceLimits;
};

export type McpAddress = {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly headersFrom: Readonly<Record<string, string>>;
  readonly tokenFrom: string | null;
};

/** A server whose tools Signalbox offers. */
export type McpServerSettings = {
  readonly enabled: boolean;
  readonly reach: McpProgram | McpAddress;
  readonly timeoutMs: number;
  readonly startTimeoutMs: number;
  readonly words: McpToolWords;
  readonly trustAnnotations: boolean;
  readonly tools: Readonly<Record<string, McpToolWords & { readonly enabled: boolean }>>;
  readonly layer: RuleLayer;
  /** The file that names it. */
  readonly source: string;
  /** For a server from a shared file: whether a local user has agreed to exactly this. It does not start without. */
  readonly isAgreed: boolean;
};

const McpServer = Written.transform((written, context): McpServerSettings => {
  const { command, url, category, risk, policy, reads, writes } = written;
  const words = { category, risk, policy, reads, writes };
  const strange = command === undefined ? OF_PROGRAMS : OF_ADDRESSES;
  if ((command === undefined) === (url === undefined)) refuse([], 'must have exactly one of command and url');
  for (const key of strange)
    if (written[key] !== undefined)
      refuse([key], `has a meaning only with ${command === undefined ? 'command' : 'url'}`);
  if (url !== undefined && !isSafeUrl(url))
    refuse(['url'], 'must be a URL with https, or with http on this machine, and without a password');
  return {
    enabled: written.enabled,
    reach: command === undefined ? addressOf(written, url ?? '') : programOf(written, command),
    timeoutMs: written.timeout,
    startTimeoutMs: written.start_timeout,
    words,
    trustAnnotations: written.trust_annotations,
    tools: written.tools,
    layer: 'user',
    source: 'settings',
    isAgreed: true,
  };

  function refuse(path: readonly string[], message: string): void {
    context.addIssue({ code: 'custom', path: [...path], message, input: written });
  }
});

/** By name: letters and digits with single `_` between, so that no two tools of two servers have one name. */
export const McpServers = z.record(
  z
    .string()
    .max(24)
    .regex(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/, {
      error:
        'must be a short name of lower-case letters and digits, with single _ between them, such as issue_tracker',
    }),
  McpServer,
);
export type McpServers = z.output<typeof McpServers>;

/** More than a command has: a server may hold a browser or an index. */
const MEMORY_MB = 2048;
const PROCESSES = 256;

function programOf(written: z.output<typeof Written>, command: string): McpProgram {
  return {
    kind: 'stdio',
    command,
    args: written.args ?? [],
    env: written.env ?? {},
    envFrom: written.env_from ?? [],
    cwd: written.cwd ?? '.',
    sandbox: written.sandbox ?? true,
    workspace: written.workspace ?? 'read',
    network: written.network ?? false,
    limits: {
      memoryBytes: (written.max_memory_mb ?? MEMORY_MB) * 1024 ** 2,
      processes: written.max_processes ?? PROCESSES,
    },
  };
}

function addressOf(written: z.output<typeof Written>, url: string): McpAddress {
  return {
    kind: 'http',
    url,
    headers: written.headers ?? {},
    headersFrom: written.headers_from ?? {},
    tokenFrom: written.token_from ?? null,
  };
}

/** Whether the traffic is protected: text sent to other machines must not be readable on the way. */
function isSafeUrl(written: string): boolean {
  const url = URL.parse(written);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url));
}

/** Whether an address is this machine's own: a server there may change its files. */
export function isThisMachine({ hostname }: Pick<URL, 'hostname'>): boolean {
  const host = parseHost(hostname);
  if (host === null) return false;
  return isLocalhost(host) || host.text === '::1' || host.text.startsWith('127.');
}
