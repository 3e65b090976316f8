import * as z from 'zod';
import { Duration } from './duration.ts';

/** The process that leads a workspace in the background. */
export const CoordinatorSettings = z.strictObject({
  /** It ends after this time without clients, sessions, pending approvals and commands; `0`: it stays. */
  idle_exit: Duration.prefault('15m'),
});
