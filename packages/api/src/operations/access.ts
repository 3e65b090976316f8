import { ProviderId } from '@signalbox/core';
import * as z from 'zod';
import { defineOperation } from '../operation.ts';

/** Role of an access token: a person who views, approves or operates, or a provider that calls. */
export const Role = z.enum(['viewer', 'approver', 'operator', 'provider']);
export type Role = z.infer<typeof Role>;

export const createEntryCode = defineOperation('POST', '/api/entry-codes', {
  schema: {
    body: z.strictObject({}).nullish(),
    response: { 200: z.object({ code: z.string(), expiresAt: z.number() }) },
  },
});

export const getYou = defineOperation('GET', '/api/you', {
  schema: {
    response: { 200: z.object({ name: z.string(), role: Role, provider: ProviderId.nullable() }) },
  },
});

export const enter = defineOperation('POST', '/api/enter', {
  schema: {
    body: z.strictObject({ code: z.string().min(1).max(100) }),
    response: { 200: z.object({ name: z.string(), role: z.string() }) },
  },
});

export const leave = defineOperation('POST', '/api/leave', {
  schema: {
    body: z.strictObject({}).nullish(),
    response: { 200: z.object({ left: z.literal(true) }) },
  },
});
