import type { CommandRecord, PublishedStatus } from '@signalbox/core';

/** A command as the API shows it. */
export type TestCommandView = CommandRecord & { readonly status: PublishedStatus };
