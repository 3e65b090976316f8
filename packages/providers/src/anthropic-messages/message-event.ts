import * as z from 'zod';

const count = z.number().nullish();

const ProviderUsage = z.looseObject({
  /** Without the cached ones. */
  input_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  output_tokens: count,
  output_tokens_details: z.looseObject({ thinking_tokens: count }).nullish(),
});
export type ProviderUsage = z.infer<typeof ProviderUsage>;

/** A block as it stands when it is opened; what it is made of depends on its type. */
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

/** The events that we need. Lenient: fields and kinds of blocks and deltas are added all the time. */
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

/** The event, or undefined for a kind that we don't need. @throws {z.ZodError} for a broken one of a known kind. */
export function parseMessageEvent(piece: unknown): MessageEvent | undefined {
  const { type } = z.looseObject({ type: z.string() }).parse(piece);
  return KNOWN.has(type) ? MessageEvent.parse(piece) : undefined;
}
