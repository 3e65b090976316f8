import { exportHistory } from './operations/command.ts';
import { followEvents } from './operations/events.ts';
import { getMetrics } from './operations/health.ts';
import { exportSession } from './operations/session-export.ts';
import * as operations from './operation-list.ts';
import { openPort } from './port.ts';

/** Every operation that answers with JSON; the client has a method of the same name for each. */
export { operations };

/** Operations that answer with something else: a stream of events, a file, text for Prometheus. */
export const streams = { exportHistory, exportSession, followEvents, getMetrics, openPort } as const;
