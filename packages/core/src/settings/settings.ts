import * as z from 'zod';
import { EXECUTION_TOPIC } from '../event.ts';
import { Mode } from '../mode.ts';
import { Duration } from './duration.ts';
import { FiltersSettings } from './filters/filters-settings.ts';
import { ApprovalSettings } from './rules/approval-settings.ts';
import { ToolPattern } from './tools/canonical-tool-name.ts';
import { McpServers } from './tools/mcp-server.ts';
import { McpSettings } from './tools/mcp-settings.ts';
import { ProvidersSettings } from './providers/provider-settings.ts';
import { SandboxSettings } from './sandbox/sandbox-settings.ts';
import { ToolsSettings } from './tools/tools-settings.ts';
import { UserRules } from './rules/user-rule.ts';

/** The loop of a session, and the lists of tools that run or ask at any level (B3, E5, S002-33…36). */
const ToolExecution = z.strictObject({
  /** Off: models are offered no tools. */
  enabled: z.boolean().default(true),
  /** Turns of one task (S002-34, S004-22). The specifications' 10 would stop any real task half done. */
  max_iterations: z.int().min(1).max(10_000).default(100),
  /** These run without approval at level `warning`; `dangerous` always needs it. A list replaces the default. */
  auto_approve_tools: z.array(ToolPattern).prefault(['read_file', 'graph_query']),
  /**
   * These need approval even at level `safe`, unless the list above names them too. A tool of files or git means its
   * effect, in any tool or line. `null`: no list, `approval.file_writes` decides.
   */
  require_approval_tools: z.array(ToolPattern).nullable().default(null),
  /** Their failure is critical, as that of the disk, the audit log, the sandbox and the judge always is (S000-68). */
  critical_tools: z.array(ToolPattern).prefault([]),
  /** A critical failure: the session waits for a person, ends, or continues. A run that nobody attends ends. */
  on_critical_failure: z.enum(['ask', 'stop', 'continue']).default('ask'),
});

const AgentsSettings = z.strictObject({ tool_execution: ToolExecution.prefault({}) });

/** Which tools a model is shown in a turn (P2, S001-78). */
const ToolFilter = z.strictObject({
  enabled: z.boolean().default(false),
  /** How many tools are chosen by their similarity to the task. */
  top_k: z.int().min(1).max(1000).default(10),
  /** A tool of an MCP server with a shorter description can't be ranked, so it is always offered. */
  min_description_words: z.int().min(0).max(1000).default(3),
  /** Neither left out nor hidden behind the tools that they require. */
  always_on: z.array(ToolPattern).prefault(['memory_search', 'memory_save', 'load_skill', 'scheduler']),
  /** Not left out, but hidden until what they require has succeeded. Without these no session can work on files. */
  never_left_out: z
    .array(ToolPattern)
    .prefault([
      'read_file',
      'list_directory',
      'search_files',
      'edit_file',
      'write_file',
      'bash',
      'read_output',
    ]),
  /** Tools less similar to the task are left out, even within `top_k`. */
  min_similarity: z.number().min(0).max(1).default(0),
  /** The provider whose embeddings rank the tools; empty: by the words of the task, without any request. */
  embed_provider: z.string().default(''),
  embed_model: z.string().min(1).default('text-embedding-3-small'),
  /**
   * What an agent over MCP is offered, whose task is unknown: `all` tools (S001-80), or built-in and always-on ones with
   * `find_tools` for the rest.
   */
  without_task: z.enum(['all', 'search']).default('all'),
});

/** Aids for the model of a session. */
const AgentSettings = z.strictObject({
  tool_filter: ToolFilter.prefault({}),
  /** Share of a model's context from which on a conversation is compressed (S001-56); `null`: only when it is too long. */
  compress_at: z.number().min(0.1).max(1).nullable().default(0.9),
  /** The provider that compresses long contexts; empty: the session's own (S001-59). */
  compress_provider: z.string().default(''),
  /** Warns of paths and names that a call invented; never blocks (P6, S001-124). */
  hallucination_detection: z.boolean().default(false),
  /**
   * The providers whose models reason: only their calls are checked. They are listed here, not guessed from a model's
   * name (S001-124). Empty: all providers.
   */
  reasoning_model_detection: z.array(z.string()).default([]),
});

/** The process that leads a workspace in the background. */
const CoordinatorSettings = z.strictObject({
  /** It ends after this time without clients, sessions, pending approvals and commands; `0`: it stays. */
  idle_exit: Duration.prefault('15m'),
});

/** How many commands run and wait at once (F5, S003-60). */
const ExecutionSettings = z.strictObject({
  /** `null`: as many as the machine has processors, at least 3. */
  max_concurrent_executions: z.int().min(1).max(1000).nullable().default(null),
  /** Per provider. */
  max_queue_size: z.int().min(1).max(100_000).default(10),
  /** Number of commands that the history always keeps, at any age and size; the audit log keeps all. */
  execution_history_limit: z.int().min(1).max(10_000_000).default(1000),
  /** Maximum age of the history and of the copies for `undo`. */
  history_max_age: Duration.prefault('7d'),
  /** Maximum size of each of these: the history, the copies for `undo`, and the full texts of outputs. */
  history_max_mb: z.int().min(0).max(10_000_000).default(2048),
  /** How long a command may wait for leases of others before it is cancelled (S003-75). */
  max_wait: Duration.prefault('10m'),
});

/** S003-61. The audit log is not among them: it can't be disabled. */
const MonitoringSettings = z.strictObject({
  enable_metrics: z.boolean().default(true),
  log_all_commands: z.boolean().default(true),
  /** Beyond this size a part of the audit log becomes an archive beside it. */
  audit_file_max_mb: z.number().positive().max(100_000).default(64),
  /** On Redis, events are published on `{workspace}:` plus this; `members`, `facts` and the like are other channels. */
  pubsub_topic: z
    .string()
    .regex(
      /^(?!(?:members|facts|inbox|post|output)\b)[\w.:-]{1,128}$/,
      'letters, digits, "_", ".", ":" and "-", and no name of Signalbox\'s own channels',
    )
    .default(EXECUTION_TOPIC),
});

/**
 * All settings of `signalbox.yaml` (U1). Keys have the specifications' names (X-42); every key has a default, so that
 * an empty file is valid.
 */
export const Settings = z.strictObject({
  /** The mode that a workspace starts in. */
  mode: Mode.default('NORMAL'),
  /** Where a workspace keeps its state: in its own folder, for one process, or in Redis, for any number. */
  backend: z.enum(['embedded', 'redis']).default('embedded'),
  /** Shell lines that run the workspace's tests and linter; `null`: detected from the workspace. */
  tests: z.string().min(1).nullable().default(null),
  lint: z.string().min(1).nullable().default(null),
  /** US dollars that one run may spend on all its providers; `null`: no bound. */
  budget: z.number().positive().nullable().default(null),
  /** `reject` refuses chains, pipes and substitutions as specification 003 does; DEGRADED and LOCKDOWN always do. */
  shell_composition: z.enum(['classify', 'reject']).default('classify'),
  /**
   * `stable`: tests and builds hold the workspace to read while they run. `transaction`: they block no other
   * command.
   */
  isolation: z.enum(['transaction', 'stable']).default('transaction'),
  files: z
    .strictObject({
      /** What happens to a write based on an older read: refused, or merged if the merge is clean. */
      stale_write: z.enum(['refuse', 'merge']).default('refuse'),
    })
    .prefault({}),
  approval: ApprovalSettings.prefault({}),
  sandbox: SandboxSettings.prefault({}),
  execution: ExecutionSettings.prefault({}),
  monitoring: MonitoringSettings.prefault({}),
  agents: AgentsSettings.prefault({}),
  agent: AgentSettings.prefault({}),
  tools: ToolsSettings.prefault({}),
  filters: FiltersSettings.prefault({}),
  providers: ProvidersSettings.prefault({}),
  policy: z
    .strictObject({
      /** `shadow`: the rules below are evaluated and reported, but not enforced. */
      mode: z.enum(['enforce', 'shadow']).default('enforce'),
    })
    .prefault({}),
  /** User rules: a `deny` of any file wins, then an `ask`; `allow` lifts an approval at level `warning`. */
  rules: UserRules.prefault([]),
  /** The process that leads the workspace in the background. */
  coordinator: CoordinatorSettings.prefault({}),
  /** Servers of the Model Context Protocol whose tools are offered too (A7). */
  mcp_servers: McpServers.prefault({}),
  /** Agents that work here over MCP. */
  mcp: McpSettings.prefault({}),
});
export type Settings = z.infer<typeof Settings>;

/** The settings of an empty file. */
export function defaultSettings(): Settings {
  return Settings.parse({}, { jitless: true });
}
