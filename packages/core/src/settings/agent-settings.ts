import * as z from 'zod';
import { ToolPattern } from './tools/canonical-tool-name.ts';

/** Which tools a model is shown in a turn (P2, S001-78). */
const ToolFilter = z.strictObject({
  enabled: z.boolean().default(false),
  top_k: z.int().min(1).max(1000).default(10),
  min_description_words: z.int().min(0).max(1000).default(3),
  always_on: z.array(ToolPattern).prefault(['memory_search', 'memory_save', 'load_skill', 'scheduler']),
});

/** Aids for the model of a session. */
export const AgentSettings = z.strictObject({
  tool_filter: ToolFilter.prefault({}),
  /** The provider that compresses long contexts; empty: the session's own (S001-59). */
  compress_provider: z.string().default(''),
  /** Warns of paths and names that a call invented; never blocks (P6, S001-124). */
  hallucination_detection: z.boolean().default(false),
  /** The providers whose models reason; listed here, not guessed from a model's name (S001-124). */
  reasoning_model_detection: z.array(z.string()).default([]),
});
