import * as z from 'zod';

const count = z.number().nullish();

const ProviderUsage = z.looseObject({
  /** Excludes cached tokens. */
  input_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  output_tokens: count,
  output_tokens_details: z.looseObject({ thinking_tokens: count }).nullish(),
});
export type ProviderUsage = z.infer<typeof ProviderUsage>;

/** A content block as it is opened. Its other fields depend on its type. */
export const Block = z.looseObject({ type: z.string() });
export type Block = z.infer<typeof Block>;

export const BlockDelta = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  partial_json: z.string().optional(),
  thinking: z.string().optional(),
  signature: z.string().optional(),
  citation: z.unknown().optional(),
});
export type BlockDelta = z.infer<typeof BlockDelta>;

const index = z.int().min(0);

/** The events we use. Lenient: the API keeps adding fields, block types and delta types. */
export const MessageEvent = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('message_start'),
    message: z.looseObject({ usage: ProviderUsage.nullish() }),
  }),
  z.looseObject({ type: z.literal('content_block_start'), index, content_block: Block }),
  z.looseObject({ type: z.literal('content_block_delta'), index, delta: BlockDelta }),
  z.looseObject({
    type: z.literal('message_delta'),
    delta: z.looseObject({ stop_reason: z.string().nullish() }),
    usage: ProviderUsage.nullish(),
  }),
  z.looseObject({ type: z.literal('message_stop') }),
]);
export type MessageEvent = z.infer<typeof MessageEvent>;

const KNOWN: ReadonlySet<unknown> = new Set(MessageEvent.options.map(({ shape }) => shape.type.value));

/**
 * Returns the event, or undefined for a kind we don't use.
 *
 * @throws {z.ZodError} for a malformed event of a known kind
 */
export function parseMessageEvent(piece: unknown): MessageEvent | undefined {
  const { type } = z.looseObject({ type: z.string() }).parse(piece);
  return KNOWN.has(type) ? MessageEvent.parse(piece) : undefined;
}
