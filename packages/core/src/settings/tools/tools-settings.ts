import * as z from 'zod';
import { canonicalToolName, ToolPattern } from './canonical-tool-name.ts';
import { PathPattern } from '../rules/path-pattern.ts';
import { Duration } from '../duration.ts';
import { MAX_PLAIN_POLICIES, PlainPolicy } from './plain-policy.ts';
import { ToolPolicy } from './tool-policy.ts';
import { AuthorizationRules } from '../rules/user-rule.ts';

const fraction = z.number().min(0).max(1);

/** Which files may be read at all; both lists empty: every file of the workspace (S001-26…32, X-09). */
const FileAccess = z.strictObject({
  deny_read: z.array(PathPattern).default([]),
  allow_read: z.array(PathPattern).default([]),
});

/** A field in complex schemas in which the model thinks before it fills in the others (P1, S001-70). */
const Tafc = z.strictObject({
  enabled: z.boolean().default(false),
  complexity_threshold: fraction.default(0.6),
});

/** O1, S001-84. `ttl_secs` 0: entries never expire. */
const ResultCache = z.strictObject({
  enabled: z.boolean().default(true),
  ttl_secs: z.int().min(0).default(300),
});

/** Bounds the search for cycles. */
const MAX_RULES = 200;
const MAX_NAMES = 50;

/** Tools that need or prefer others before them (P3, S001-87, S001-92). */
const Dependencies = z.strictObject({
  enabled: z.boolean().default(false),
  /** Added to the similarity of a tool for each tool that it prefers and that has succeeded in the session. */
  boost_per_dep: fraction.default(0.15),
  max_total_boost: fraction.default(0.2),
  rules: z
    .record(
      z.string().regex(/^[a-z][a-z0-9_.-]{0,63}$/, { error: 'must be the name of a tool' }),
      z.strictObject({
        /** Each must have succeeded in the session before the tool is offered. */
        requires: z.array(ToolPattern).max(MAX_NAMES).default([]),
        prefers: z.array(ToolPattern).max(MAX_NAMES).default([]),
      }),
    )
    .refine((rules) => Object.keys(rules).length <= MAX_RULES, {
      error: `must not have more than ${MAX_RULES} tools`,
    })
    .default({}),
});

/** Retries after a transient failure (H6, S001-100). */
const Retry = z.strictObject({
  /** Includes the first attempt. */
  max_attempts: z.int().min(1).max(100).default(2),
  base_ms: z.int().min(0).default(500),
  max_ms: z.int().min(0).default(5000),
  /** For all retries of one task. */
  budget_secs: z.number().min(0).default(30),
  /** Empty: the session's own. */
  parameter_reformat_provider: z.string().default(''),
});

/** The same call repeated without any change that could give it another answer. `null`: never. */
const RepeatedCalls = z.strictObject({
  /** From this repetition on the model is warned. */
  point_out: z.int().min(2).nullable().default(3),
  /** From this repetition on it is refused. */
  refuse: z.int().min(2).nullable().default(5),
});

/** A snapshot before a shell line that writes, and its roll-back (H5, S001-104). */
const Shell = z.strictObject({
  /** On: a shell line runs on an overlay of the workspace wherever that works. */
  transactional: z.boolean().default(true),
  /** What happens to a shell line when others changed files that it wrote. */
  on_conflict: z.enum(['conflict', 'merge', 'rerun']).default('rerun'),
  /** With `on_conflict: rerun`: reruns before it is a conflict after all. */
  max_reruns: z.int().min(1).max(20).default(3),
  transaction_scope: z.array(PathPattern).default(['**']),
  auto_rollback: z.boolean().default(false),
  auto_rollback_exit_codes: z.array(z.int().min(1).max(255)).default([1, 2]),
  /** Whether files of a shell line that a signal killed are committed: they may be incomplete. */
  keep_on_signal: z.boolean().default(false),
  snapshot_required: z.boolean().default(false),
  /** 0: no bound (S001-111). */
  max_snapshot_bytes: z.int().min(0).default(0),
});

/** Skips calls of little use (P4, S001-114, S001-115). */
const Utility = z.strictObject({
  enabled: z.boolean().default(false),
  /** `shadow`: records what it would skip, and skips nothing. */
  mode: z.enum(['enforce', 'shadow']).default('enforce'),
  /** A call with a lower score is skipped; scores are from -1 to 1. */
  threshold: z.number().default(0),
  exempt_tools: z.array(ToolPattern).prefault(['invoke_skill', 'load_skill']),
});

/** A model judges each call by policies in plain words (P5, S001-118). */
const AdversarialPolicy = z.strictObject({
  enabled: z.boolean().default(false),
  /** Whether a call continues when the judge can't be asked; an answer that is no verdict always denies. */
  fail_open: z.boolean().default(false),
  policies: z.array(PlainPolicy).max(MAX_PLAIN_POLICIES).default([]),
  /** Who judges; may be a local model. */
  policy_provider: z.string().default(''),
  /** `shadow`: records what it would deny, and denies nothing. */
  mode: z.enum(['enforce', 'shadow']).default('enforce'),
  /** For one request to the judge. */
  timeout: Duration.prefault('20s'),
  /** In US dollars, for all requests of one run of the coordinator; `null`: no bound. */
  budget: z.number().min(0).nullable().default(null),
  exempt_tools: z
    .array(ToolPattern)
    .prefault(['memory_save', 'memory_search', 'read_overflow', 'load_skill', 'schedule_deferred']),
});

/** Rules appended to those below `rules`; of one file's the first that matches decides (D6, S001-128). */
const Authorization = z.strictObject({
  enabled: z.boolean().default(false),
  rules: AuthorizationRules.prefault([]),
});

const Sections = z.strictObject({
  /** First attempts only, retries are free; `null`: no bound (Q2, S001-126). */
  max_tool_calls_per_session: z.int().min(0).nullable().default(null),
  file: FileAccess.prefault({}),
  tafc: Tafc.prefault({}),
  result_cache: ResultCache.prefault({}),
  dependencies: Dependencies.prefault({}),
  retry: Retry.prefault({}),
  repeated_calls: RepeatedCalls.prefault({}),
  shell: Shell.prefault({}),
  utility: Utility.prefault({}),
  adversarial_policy: AdversarialPolicy.prefault({}),
  authorization: Authorization.prefault({}),
});

/** The keys under `tools:` that are sections; every other one is a tool with its {@link ToolPolicy}. */
export const TOOL_SECTIONS: readonly string[] = Object.keys(Sections.shape);

/** The settings under `tools:`. The policies of single tools are read into `policies`, by canonical name. */
export const ToolsSettings = Sections.catchall(ToolPolicy).transform((tools, context) => {
  const sections: Record<string, unknown> = {};
  const policies: Record<string, ToolPolicy> = {};
  for (const [key, value] of Object.entries(tools)) {
    const name = canonicalToolName(key);
    if (TOOL_SECTIONS.includes(key)) sections[key] = value;
    else if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) refuse(key, 'is not the name of a tool');
    else if (Object.hasOwn(policies, name)) refuse(key, `names "${name}", which already has a policy`);
    else policies[name] = value as ToolPolicy;
  }
  return { ...(sections as z.output<typeof Sections>), policies };

  function refuse(key: string, why: string): void {
    context.addIssue({ code: 'custom', path: [key], message: `"${key}" ${why}`, input: key });
  }
});
