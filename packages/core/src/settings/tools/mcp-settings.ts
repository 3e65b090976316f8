import * as z from 'zod';
import { Duration } from '../duration.ts';

/** Longest wait that one request to the API may ask for. */
const MAX_WAIT_MS = 600_000;

/** Bounds of the answers to agents over MCP, whose programs cut long answers by their own rules. */
export const McpSettings = z.strictObject({
  /**
   * Characters of a successful answer; a longer one keeps its head and tail. Claude Code and Codex cut at about 40,000
   * bytes.
   */
  max_result_chars: z.int().min(3000).max(100_000).default(25_000),
  /** Characters of any other answer. Claude Code cuts errors at about 10,000. */
  max_error_chars: z.int().min(3000).max(100_000).default(9000),
  /** A call that takes longer answers "waiting". Claude Code moves a call of 120 s into the background. */
  max_wait: Duration.refine((ms) => ms <= MAX_WAIT_MS, { error: 'must be 10m at most' }).prefault('100s'),
  /** Whether a person may answer in the agent's own window, when its program shows forms. */
  ask_in_agent: z.boolean().default(true),
});
export type McpSettings = z.infer<typeof McpSettings>;
