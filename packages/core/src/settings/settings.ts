import * as z from 'zod';
import { Mode } from '../mode.ts';
import { AgentSettings } from './agent-settings.ts';
import { AgentsSettings } from './agents-settings.ts';
import { ApprovalSettings } from './rules/approval-settings.ts';
import { CoordinatorSettings } from './coordinator-settings.ts';
import { ExecutionSettings } from './execution-settings.ts';
import { McpServers } from './tools/mcp-server.ts';
import { McpSettings } from './tools/mcp-settings.ts';
import { MonitoringSettings } from './monitoring-settings.ts';
import { ProvidersSettings } from './providers/provider-settings.ts';
import { SandboxSettings } from './sandbox/sandbox-settings.ts';
import { ToolsSettings } from './tools/tools-settings.ts';
import { UserRules } from './rules/user-rule.ts';

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
