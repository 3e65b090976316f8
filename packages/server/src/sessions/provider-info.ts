import { ProviderId } from '@signalbox/core';
import * as z from 'zod';

/** A provider of the settings. */
export const ProviderInfo = z
  .strictObject({
    id: ProviderId,
    model: z.string(),
    trust: z.string(),
    missingKey: z
      .string()
      .nullable()
      .describe('Environment variable of its API key, where the coordinator has none; else null'),
  })
  .meta({ id: 'Provider' });
