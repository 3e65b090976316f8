import type { CommandRecord, PublishedStatus } from '@signalbox/core';

/** A command as the API shows it. */
export type CommandView = CommandRecord & { readonly status: PublishedStatus };
