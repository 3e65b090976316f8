import * as z from 'zod';
import { Mode } from '../../mode.ts';
import { ToolCategory } from '../../tools/tool.ts';
import { Duration } from '../duration.ts';
import { PathPattern } from '../rules/path-pattern.ts';
import { SandboxProfile } from '../sandbox/sandbox-profile.ts';

/**
 * Settings of one tool (D2, S000-44). They are combined with the tool's own definition and the strictest wins: a policy
 * can't allow what the definition forbids.
 */
export const ToolPolicy = z.strictObject({
  category: ToolCategory.optional(),
  /** `requires_approval`: needs approval at every level (D9, S004-20). */
  policy: z.enum(['auto', 'requires_approval']).optional(),
  /** Absent: all modes. Read after the two below. */
  allowed_in_modes: z.array(Mode).optional(),
  requires_approval_in_modes: z.array(Mode).default([]),
  forbidden_in_modes: z.array(Mode).default([]),
  /** Absent: all of the workspace. */
  allowed_paths: z.array(PathPattern).optional(),
  /** Read before `allowed_paths`: a path in both is denied. */
  forbidden_paths: z.array(PathPattern).default([]),
  /**
   * Size of a file that the tool reads or writes (S000-45). Absent: 10 for a file tool and for a text in a call, none
   * for writes of programs.
   */
  max_file_size_mb: z.number().positive().max(10_000).optional(),
  /** `null`: no limit of its own (Q1, S000-24). */
  rate_limit_per_hour: z.int().min(0).nullable().default(null),
  /**
   * Programs unknown to the classifier that a shell line may use, with approval; all other unknown ones are denied
   * (X-05, S000-42).
   */
  command_allowlist: z.array(z.string().min(1)).optional(),
  /** On: known programs need to be on that list too, except shell builtins that only print or test. */
  command_allowlist_only: z.boolean().default(false),
  /** Timeout of a call that requests none. */
  timeout: Duration.optional(),
  sandbox: SandboxProfile.optional(),
});
export type ToolPolicy = z.infer<typeof ToolPolicy>;

/** The policy of a tool without settings. */
export const DEFAULT_TOOL_POLICY: ToolPolicy = { ...ToolPolicy.parse({}), max_file_size_mb: 10 };
