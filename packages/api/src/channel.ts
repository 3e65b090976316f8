import { Channel } from '@signalbox/core';

/** The header in which a client of the owner's own account says what it is: that changes what is recorded, not what it may do. */
export const CHANNEL_HEADER = 'signalbox-channel';

export const StatedChannel = Channel.extract(['terminal', 'cli', 'mcp']);
