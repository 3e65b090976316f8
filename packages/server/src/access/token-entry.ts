import { ProviderId } from '@signalbox/core';
import * as z from 'zod';
import { Role } from '@signalbox/api';

/** An access token as stored: only its hash, so reading the store does not give access. */
export const TokenEntry = z
  .strictObject({
    id: z.string(),
    /** `made`: by `signalbox token create`. `local`: of one running server. `browser`: of one dashboard. */
    kind: z.enum(['made', 'local', 'browser']),
    /** The name in audit lines: a person, or the purpose of a provider's token. */
    name: z.string().min(1).max(128),
    role: Role,
    /** Set exactly for role `provider`: each such token is one provider, with its own lane, limits and trust. */
    provider: ProviderId.nullable(),
    /** Hex SHA-256 of the token. */
    hash: z.string(),
    /** For kind `browser`: id of the token that let it in. It is invalid without that token. */
    from: z.string().optional(),
    /** For kind `local`: the server that it belongs to, where a workspace has several. */
    server: z.string().optional(),
    createdAt: z.number(),
    /** Epoch milliseconds; null: valid until revoked. */
    expiresAt: z.number().nullable(),
  })
  .readonly();
export type TokenEntry = z.infer<typeof TokenEntry>;

/** The sender of a request. */
export type Visitor = Pick<TokenEntry, 'kind' | 'name' | 'role' | 'provider'> & { readonly tokenId: string };
