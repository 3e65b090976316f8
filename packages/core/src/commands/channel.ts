import * as z from 'zod';

/**
 * How an answer came: in the window of its `signalbox run`, by a subcommand, in the dashboard, in an agent's own
 * window, or from a program with an access token. `http`: records of versions that did not distinguish these.
 */
export const Channel = z.enum(['terminal', 'cli', 'dashboard', 'mcp', 'api', 'http', 'demo', 'test']);
export type Channel = z.infer<typeof Channel>;
