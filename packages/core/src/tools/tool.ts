import * as z from 'zod';
import type { CheckReport } from '../commands/check-report.ts';
import type { Effect } from '../effect.ts';
import type { Execution } from '../commands/execution.ts';
import type { FileTouch } from '../files/file-touch.ts';
import type { CommandId, ProviderId, SessionId } from '../id.ts';
import type { Json, JsonObject } from '../json.ts';
import { ToolName } from '../commands/call.ts';
import { ALL_MODES, type Mode } from '../mode.ts';
import type { Clock } from '../ports/clock.ts';
import type { Program, ReportRequest } from '../ports/executor.ts';
import type { Files } from '../ports/files.ts';
import type { Inspector } from '../ports/inspector.ts';
import type { Outputs } from '../ports/outputs.ts';
import type { StampPath } from '../ports/stamps.ts';
import type { PlannedStep } from '../commands/preview.ts';
import type { ReadHashes } from '../files/read-hashes.ts';
import type { ToolOrigin } from '../commands/tool-origin.ts';

/** Governance category (S000-17). `internal` touches nothing outside the process. */
export const ToolCategory = z.enum(['read_only', 'system_write', 'execute', 'network', 'internal']);
export type ToolCategory = z.infer<typeof ToolCategory>;

export const Risk = z.enum(['low', 'medium', 'high']);
export type Risk = z.infer<typeof Risk>;

/** Kind of request in specification 003's words (A9). */
export type RequestKind = 'bash' | 'file_read' | 'file_write' | 'git' | 'web_search' | 'other';

/**
 * Hints for an agent's program about a tool's calls: they decide about plan modes and about what runs without approval.
 */
export type ToolHints = {
  /** Changes nothing, not even files. */
  readonly readOnly: boolean;
  /** May remove or replace existing content. */
  readonly destructive: boolean;
  /** The same call again changes nothing more. */
  readonly idempotent: boolean;
  /** May reach beyond the workspace. */
  readonly openWorld: boolean;
};

/** The workspace's own lines; null: it has none. */
export type WorkspaceLines = {
  readonly tests: string | null;
  readonly lint: string | null;
  /** Folder in which a line starts that names none, relative to the workspace. Absent: the workspace itself. */
  readonly workingDir?: string | undefined;
  /**
   * Options, and variables, that make the program of `tests` write a report to `REPORT_FILE` too. Absent: the program is
   * unknown, or has none.
   */
  readonly testsReport?: { readonly flags: string; readonly env: ReportRequest['env'] } | undefined;
};

/** Dependencies of a handler; it uses nothing else of the outside world. */
export type ToolContext = {
  readonly commandId: CommandId;
  readonly sessionId: SessionId;
  readonly provider: ProviderId;
  readonly files: Files;
  /** Checks for git obstacles before a run. */
  readonly git: Pick<Inspector, 'obstacle'>;
  /** What this session last read or wrote of each file. */
  readonly readHashes: ReadHashes;
  /** Output of the caller's earlier commands. */
  readonly outputs: Outputs;
  /** Finds tools that the filter left out, by what they do, best first; the caller is offered them from now on. */
  readonly findTools: (words: string) => Promise<readonly Pick<Tool, 'name' | 'description'>[]>;
  readonly clock: Clock;
  /** What happens to a write based on an older read (`files.stale_write`). */
  readonly staleWrite: 'refuse' | 'merge';
  readonly signal: AbortSignal;
  /** The workspace's own lines: `tests`, `lint`. */
  readonly lines: WorkspaceLines;
  /** Runs a program in the sandbox under this command's limits; its output is streamed live. */
  run(program: Program, options?: RunOptions): Promise<Execution>;
};

/** What a precheck may read. */
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
  /** It runs the workspace's own tests or linter: whatever program that is, its exit code is its answer. */
  readonly isCheck?: boolean;
  /** Default: none. */
  readonly report?: ReportRequest;
};

/** `read` converts the value to its meaning under its own name; default: unchanged. */
export type ArgAlias = { readonly name: string; readonly read?: (value: unknown) => unknown };

/** The answer of a handler. */
export type ToolAnswer = {
  /** For the model: text unchanged, data as JSON. */
  readonly output: Json;
  readonly files?: readonly FileTouch[];
  /** Set by tools that ran a program: its exit code decides between completed and failed. */
  readonly execution?: Execution;
  /** Where its text comes from, if that is outside of the workspace: the model reads it between marks (K3). */
  readonly untrusted?: string;
  /** What its tests or linters reported. */
  readonly report?: CheckReport;
};

/**
 * A tool: definition and handler (A1, A2, A8, A9).
 *
 * A handler fails by throwing `ToolFailure` (shown to the model) or `StaleWriteError`; any other error is hidden from
 * the model and logged (V3).
 */
export type Tool<Args = unknown> = {
  readonly name: ToolName;
  /** Other spellings that configuration and the command line accept. */
  readonly aliases: readonly string[];
  /** For the model: what it does, when to use it. */
  readonly description: string;
  readonly kind: 'builtin' | 'mcp';
  /**
   * `people`: offered to no model, and only a person's own call is accepted. `sessions`: offered by each session to its
   * model, and accepted from sessions alone.
   */
  readonly audience: 'everybody' | 'people' | 'sessions';
  /** `declared`: offered only to providers whose settings list it. `filtered`: only where the tool filter left some out. */
  readonly offered: 'always' | 'declared' | 'filtered';
  readonly requestKind: RequestKind;
  readonly category: ToolCategory;
  readonly risk: Risk;
  /** Overrides the hints of its category. */
  readonly hints?: Partial<ToolHints>;
  /**
   * `requires_approval`: approval is needed unless a user rule allows it (D9, S004-20). For what its effects don't
   * express: those are judged like a shell line's.
   */
  readonly policy: 'auto' | 'requires_approval';
  readonly allowedModes: readonly Mode[];
  readonly requiresSandbox: boolean;
  /** Milliseconds; a call may request less or more within the sandbox's bound. */
  readonly timeoutMs: number;
  /** `null`: no limit. */
  readonly rateLimitPerHour: number | null;
  /** Whether the same call may be executed again after a transient failure (S001-07). */
  readonly retryable: boolean;
  /**
   * Whether a run may be answered by the result of an earlier one on exactly the same files: of any line that it runs, or
   * only of lines that run tests, builds and linters. Absent: never.
   */
  readonly reuse?: 'runs' | 'check-lines';
  /**
   * For a tool that only reads: all files that its answer to this call depends on. The answer may be given again, also to
   * others, while they are the same. Null, or absent: never.
   */
  readonly reads?: (args: Args) => readonly StampPath[] | null;
  /** True: exempt from the session's quota and the gate against repeated calls. */
  readonly isExempt: boolean;
  /** Other names that models habitually give arguments; used where the schema does not know them. */
  readonly argAliases: Readonly<Record<string, ArgAlias>>;
  readonly args: z.ZodType<Args>;
  /**
   * What `output` of its answers holds. The coordinator checks every answer; one that differs is a fault of ours. Absent:
   * unchecked, for tools of other servers.
   */
  readonly output?: z.ZodType;
  /** JSON Schema of its arguments, for tools with an external schema; absent: that of `args`. */
  readonly inputSchema?: JsonObject;
  /**
   * For externally defined tools: identifies this definition among others of the same name. An approval is bound to it.
   */
  readonly definition?: string;
  /** Its definition differs from the one that people let run: it needs approval, whatever settings and rules say. */
  readonly isChanged?: boolean;
  /** One line for people: `src/cart.ts`, `npm test`. Shown after the tool's name. */
  readonly describe: (args: Args) => string;
  /** The shell line in the arguments, for tools that take one: the coordinator has it classified. */
  readonly shellLine?: (args: Args, lines: ToolContext['lines']) => { line: string; cwd?: string };
  /** Milliseconds that the call itself requests, in place of `timeoutMs`. */
  readonly requestedTimeoutMs?: (args: Args) => number | undefined;
  /** What a call would touch, besides the effects of its shell line. Paths as the arguments give them. */
  readonly effects: (args: Args) => readonly Effect[];
  /**
   * Whether the call could succeed in the current state, before its approval is requested. Reads files and changes
   * nothing; `handle` checks the same again under the lease.
   *
   * @throws {ToolFailure}
   */
  readonly precheck?: (args: Args, context: PrecheckContext) => Promise<void>;
  /**
   * What the call would do, determined beforehand for the approver; it only reads. Absent: what its shell line says.
   */
  readonly plan?: (args: Args, context: Pick<ToolContext, 'files'>) => Promise<PlannedStep>;
  /** For tools of another server: where they come from, and how they are confined. */
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
