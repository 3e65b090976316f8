import * as z from 'zod';
import { Hello } from './hello.ts';
import { defineOperation } from '../operation.ts';

const AtWork = {
  clients: z.int().describe('Requests in progress, including event streams, without this one'),
  runs: z.int(),
  commands: z.int().describe('Unfinished commands, including pending approvals'),
};

/** The process that leads a workspace: its start, its owner, its planned end. */
export const CoordinatorState = Hello.extend({
  ...AtWork,
  idleExitMs: z
    .number()
    .nullable()
    .describe('It exits after this long without clients, runs and commands; null: never'),
  ports: z.array(z.string()).describe('Addresses of its open ports, the oldest first'),
  fixedPorts: z
    .array(z.string())
    .describe(
      'Ports whose number was requested, such as by `serve --port`; the others change with each start',
    ),
  stopping: z.boolean().describe('It accepts nothing new, and exits when running work has ended'),
}).meta({ id: 'CoordinatorState' });
export type CoordinatorState = z.infer<typeof CoordinatorState>;

export const getCoordinator = defineOperation('GET', '/api/coordinator', {
  schema: {
    response: { 200: CoordinatorState },
  },
});

/** Unchanged in every protocol version, since a newer program ends an older coordinator with it. */
export const stopCoordinator = defineOperation('POST', '/api/coordinator/stop', {
  schema: {
    body: z.strictObject({ when: z.enum(['now', 'drained', 'idle']) }),
    response: {
      200: z.object({
        kind: z
          .enum(['stopping', 'draining', 'busy'])
          .describe('It exits now; it exits when these have ended; it stays, since these are active'),
        ...AtWork,
      }),
    },
  },
});
