import * as z from 'zod';
import { defineOperation } from '../operation.ts';

export const ResultCacheView = z
  .object({
    enabled: z.boolean().describe('By the setting tools.result_cache.enabled'),
    ttlSecs: z.int().describe('Results are forgotten after this time; 0: never'),
    runs: z.int().describe('Kept results of tests, linters and builds'),
    reads: z.int().describe('Kept answers of tools that only read'),
  })
  .meta({ id: 'ResultCache' });
export type ResultCacheView = z.infer<typeof ResultCacheView>;

export const getResultCache = defineOperation('GET', '/api/result-cache', {
  schema: { response: { 200: ResultCacheView } },
});

/** Answers with what it was before. */
export const clearResultCache = defineOperation('DELETE', '/api/result-cache', {
  schema: { response: { 200: ResultCacheView } },
});
