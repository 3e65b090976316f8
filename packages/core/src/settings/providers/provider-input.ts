import * as z from 'zod';
import { Trust } from '../../commands/call.ts';
import { ToolPattern } from '../tools/canonical-tool-name.ts';
import { Duration } from '../duration.ts';
import { SandboxProfile } from '../sandbox/sandbox-profile.ts';

const dollars = z.number().min(0);

/** US dollars per million tokens, as in the vendor's price list. */
export const ProviderPrices = z.strictObject({
  input_per_million: dollars,
  /** Default: the price of other input. */
  cached_input_per_million: dollars.optional(),
  /** Default: the price of other input. */
  cache_write_per_million: dollars.optional(),
  output_per_million: dollars,
});

export const ProviderTimeouts = z.strictObject({
  first_byte: Duration.prefault('60s'),
  /** Longest silence between two pieces of an answer. */
  idle: Duration.prefault('60s'),
  total: Duration.prefault('10m'),
});

/** One provider as a file writes it: missing fields come from the preset of its id. */
export const ProviderInput = z.strictObject({
  /** `agent`: a program that connects to us, over MCP or HTTP; it needs no address and no model. */
  api: z.enum(['openai-chat', 'anthropic-messages', 'agent']).optional(),
  base_url: z.url({ protocol: /^https?$/, error: 'must be a URL with http or https' }).optional(),
  model: z.string().min(1).optional(),
  /** Name of the environment variable with the key; `null`: no key is sent. Keys are never in files. */
  api_key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'must be the name of an environment variable, not a key' })
    .nullable()
    .optional(),
  /** Off: tools are described in the prompt and calls are read from the text (B5, S002-27). */
  native_tools: z.boolean().optional(),
  /** Sends `reasoning_content` of earlier turns back, as DeepSeek requires. */
  echo_reasoning: z.boolean().optional(),
  max_output_tokens: z.int().min(1).optional(),
  /** Tokens that the model's context holds. Default: known for common models; `null`: unknown. */
  context_tokens: z.int().min(1000).max(100_000_000).nullable().optional(),
  /** Default 0.7 (S002-10); `null` sends none. */
  temperature: z.number().min(0).max(2).nullable().optional(),
  /** Affects which calls run without approval (D5, S001-15). */
  trust: Trust.optional(),
  /** Absent: its cost is unknown, and no budget counts it. */
  prices: ProviderPrices.nullable().optional(),
  /** 0 is served first. */
  priority: z.int().min(0).max(1000).optional(),
  /** Tools offered to it (A6, S002-42); absent: all of the mode. */
  tools: z.array(ToolPattern).nullable().optional(),
  timeouts: ProviderTimeouts.optional(),
  /** Calls of all its sessions together, first attempts only; `null`: no limit (Q3, S004-33). */
  rate_limit_per_hour: z.int().min(0).nullable().optional(),
  sandbox: SandboxProfile.optional(),
});
