import { Channel } from '@signalbox/core';

/** Header in which a client of the owner's own account names its channel: it affects the record, not the rights. */
export const CHANNEL_HEADER = 'signalbox-channel';

export const StatedChannel = Channel.extract(['terminal', 'cli', 'mcp']);
