import { ProviderId } from '@signalbox/core';
import * as z from 'zod';
import { Role } from '@signalbox/api';

/** An access token as it is stored: by its hash, so that who reads the store can't use it. */
export const TokenEntry = z
  .strictObject({
    id: z.string(),
    /** `made`: by `signalbox token create`. `local`: of one running server. `browser`: of one dashboard. */
    kind: z.enum(['made', 'local', 'browser']),
    /** Who it is, in the audit's lines: a person, or what a provider's token is for. */
    name: z.string().min(1).max(128),
    role: Role,
    /** Set exactly for role `provider`: each such token is one provider, with its own lane, limits and trust. */
    provider: ProviderId.nullable(),
    /** Hex SHA-256 of the token. */
    hash: z.string(),
    /** Of kind `browser`: id of the token that let it in, without which it is worth nothing. */
    from: z.string().optional(),
    /** Of kind `local`: whose server it is of, where a workspace has several. */
    server: z.string().optional(),
    createdAt: z.number(),
    /** Epoch milliseconds; null: until it is revoked. */
    expiresAt: z.number().nullable(),
  })
  .readonly();
export type TokenEntry = z.infer<typeof TokenEntry>;

/** Who sends a request. */
export type Visitor = Pick<TokenEntry, 'kind' | 'name' | 'role' | 'provider'> & { readonly tokenId: string };
