import * as z from 'zod';
import type { Effect } from './effect.ts';
import type { Execution } from './execution.ts';
import type { FileTouch } from './file-touch.ts';
import type { CommandId, ProviderId, SessionId } from './id.ts';
import type { Json, JsonObject } from './json.ts';
import { ToolName } from './call.ts';
import { ALL_MODES, type Mode } from './mode.ts';
import type { Clock } from './ports/clock.ts';
import type { Program } from './ports/executor.ts';
import type { Files } from './ports/files.ts';
import type { Inspector } from './ports/inspector.ts';
import type { Outputs } from './ports/outputs.ts';
import type { PlannedStep } from './preview.ts';
import type { ReadHashes } from './read-hashes.ts';
import type { ToolOrigin } from './tool-origin.ts';

/** Governance category (S000-17). `internal` touches nothing outside the process. */
export const ToolCategory = z.enum(['read_only', 'system_write', 'execute', 'network', 'internal']);
export type ToolCategory = z.infer<typeof ToolCategory>;

export const Risk = z.enum(['low', 'medium', 'high']);
export type Risk = z.infer<typeof Risk>;

/** Kind of request in specification 003's words (A9). */
export type RequestKind = 'bash' | 'file_read' | 'file_write' | 'git' | 'web_search' | 'other';

/** What an agent's program may think of a tool's calls: by it go plan modes and what runs without a question. */
export type ToolHints = {
  /** Changes nothing, in files neither. */
  readonly readOnly: boolean;
  /** May take away or replace what is there. */
  readonly destructive: boolean;
  /** The same call again changes nothing more. */
  readonly idempotent: boolean;
  /** May reach what lies outside of the workspace. */
  readonly openWorld: boolean;
};

/** What a handler may use; nothing else of the world. */
export type ToolContext = {
  readonly commandId: CommandId;
  readonly sessionId: SessionId;
  readonly provider: ProviderId;
  readonly files: Files;
  /** What stands in git's way, before it runs. */
  readonly git: Pick<Inspector, 'obstacle'>;
  /** What this session last read or wrote of each file. */
  readonly readHashes: ReadHashes;
  /** What earlier commands of the caller printed. */
  readonly outputs: Outputs;
  readonly clock: Clock;
  /** What becomes of a write on an older reading (`files.stale_write`). */
  readonly staleWrite: 'refuse' | 'merge';
  readonly signal: AbortSignal;
  /** Lines of the workspace's own: `tests`, `lint`. */
  readonly lines: { readonly tests: string | null; readonly lint: string | null };
  /** Runs a program in the sandbox under this command's limits; its output is streamed live. */
  run(program: Program, options?: RunOptions): Promise<Execution>;
};

/** What a precheck may look at. */
export type PrecheckContext = Pick<ToolContext, 'readHashes' | 'staleWrite' | 'git'> & {
  readonly clock: Pick<Clock, 'now'>;
  readonly files: Pick<Files, 'normalise' | 'readText' | 'stat' | 'list'>;
};

export type RunOptions = {
  readonly cwd?: string;
  readonly stdin?: string;
  /** Runs a shell line on a terminal, which joins both streams into one. Default false. */
  readonly terminal?: boolean;
  readonly workspace?: 'write' | 'read';
  readonly env?: Readonly<Record<string, string>>;
  /** It runs the workspace's own tests or linter: whatever program that is, it answers by its exit code. */
  readonly isCheck?: boolean;
};

/** `read`: what the value means under its own name; as it is by default. */
export type ArgAlias = { readonly name: string; readonly read?: (value: unknown) => unknown };

/** What a handler answers. */
export type ToolAnswer = {
  /** For the model: text as it is, data as JSON. */
  readonly output: Json;
  readonly files?: readonly FileTouch[];
  /** Set by tools that ran a program: its exit code decides between completed and failed. */
  readonly execution?: Execution;
};

/**
 * A tool: definition and handler (A1, A2, A8, A9).
 *
 * A handler fails by throwing `ToolFailure` (told to the model) or `StaleWriteError`; anything else that it
 * throws is hidden from the model and logged (V3).
 */
export type Tool<Args = unknown> = {
  readonly name: ToolName;
  /** Other spellings that configuration and the command line accept. */
  readonly aliases: readonly string[];
  /** For the model: what it does, when to use it. */
  readonly description: string;
  readonly kind: 'builtin' | 'mcp';
  /** `people`: offered to no model, and only a person's own call of it is taken. */
  readonly audience: 'everybody' | 'people';
  /** `declared`: offered only to providers whose settings list it. */
  readonly offered: 'always' | 'declared';
  readonly requestKind: RequestKind;
  readonly category: ToolCategory;
  readonly risk: Risk;
  /** Where its category says too much or too little. */
  readonly hints?: Partial<ToolHints>;
  /**
   * `requires_approval`: a person is asked unless a rule of theirs allows it (D9, S004-20). For what its effects don't say:
   * by those a tool is judged as a shell line is.
   */
  readonly policy: 'auto' | 'requires_approval';
  readonly allowedModes: readonly Mode[];
  readonly requiresSandbox: boolean;
  /** Milliseconds; a call may ask for less or more within the sandbox's bound. */
  readonly timeoutMs: number;
  /** `null`: no limit. */
  readonly rateLimitPerHour: number | null;
  /** Whether the same call may be executed again after a transient failure (S001-07). */
  readonly retryable: boolean;
  /** True: exempt from the session's quota and the gate against repeated calls. */
  readonly isExempt: boolean;
  /** Other names that models give arguments from habit; read where the schema does not know them. */
  readonly argAliases: Readonly<Record<string, ArgAlias>>;
  readonly args: z.ZodType<Args>;
  /** JSON Schema of its arguments, for tools whose schema is somebody else's; absent: that of `args`. */
  readonly inputSchema?: JsonObject;
  /**
   * For tools that somebody else defines: what tells this definition from others of the same name. An approval
   * is bound to it.
   */
  readonly definition?: string;
  /** Its definition is another than the one that people let run: it asks, whatever settings and rules say. */
  readonly isChanged?: boolean;
  /** One line for people: `src/cart.ts`, `npm test`. Shown behind the tool's name. */
  readonly describe: (args: Args) => string;
  /** The shell line in the arguments, for tools that take one: the coordinator has it classified. */
  readonly shellLine?: (args: Args, lines: ToolContext['lines']) => { line: string; cwd?: string };
  /** Milliseconds that the call itself asks for, in place of `timeoutMs`. */
  readonly requestedTimeoutMs?: (args: Args) => number | undefined;
  /** What a call would touch, besides what its shell line says. Paths as the arguments give them. */
  readonly effects: (args: Args) => readonly Effect[];
  /**
   * Whether the call could succeed as things are now, before a person is asked about it. Looks at files and changes
   * nothing; `handle` checks the same again under the lease.
   *
   * @throws {ToolFailure}
   */
  readonly precheck?: (args: Args, context: PrecheckContext) => Promise<void>;
  /** What the call would do, looked up beforehand for the approver: reads at most. Absent: what its shell line says. */
  readonly plan?: (args: Args, context: Pick<ToolContext, 'files'>) => Promise<PlannedStep>;
  /** For tools of another server: whose they are, and what confines them. */
  readonly origin?: ToolOrigin;
  readonly handle: (args: Args, context: ToolContext) => Promise<ToolAnswer>;
};

type Defaulted =
  | 'aliases'
  | 'kind'
  | 'audience'
  | 'policy'
  | 'allowedModes'
  | 'requiresSandbox'
  | 'timeoutMs'
  | 'rateLimitPerHour'
  | 'retryable'
  | 'isExempt'
  | 'offered'
  | 'argAliases';

/** A tool, with the defaults of S000-20…24 filled in: all modes, no approval, no sandbox, 30 s, no rate limit. */
export function defineTool<Args>(
  tool: Omit<Tool<Args>, Defaulted> & Partial<Pick<Tool<Args>, Defaulted>>,
): Tool<Args> {
  ToolName.parse(tool.name);
  return {
    aliases: [],
    kind: 'builtin',
    audience: 'everybody',
    policy: 'auto',
    allowedModes: ALL_MODES,
    requiresSandbox: false,
    timeoutMs: 30_000,
    rateLimitPerHour: null,
    retryable: false,
    isExempt: false,
    offered: 'always',
    argAliases: {},
    ...tool,
  };
}
