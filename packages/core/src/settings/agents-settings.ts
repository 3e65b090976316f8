import * as z from 'zod';
import { ToolPattern } from './tools/canonical-tool-name.ts';

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
});

export const AgentsSettings = z.strictObject({ tool_execution: ToolExecution.prefault({}) });
