import { ProviderId } from '@signalbox/core';

/** The user of this terminal, as a provider of calls. */
export const YOU = ProviderId.parse('you');
