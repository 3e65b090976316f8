import * as z from 'zod';
import { Hello } from './hello.ts';
import { defineOperation } from './operation.ts';

const AtWork = {
  clients: z.int().describe('Requests that are being answered, event streams too, without this one'),
  runs: z.int(),
  commands: z.int().describe('Those that are not done, pending approvals too'),
};

/** The process that leads a workspace: its start, its owner, its planned end. */
export const CoordinatorState = Hello.extend({
  ...AtWork,
  idleExitMs: z
    .number()
    .nullable()
    .describe('It ends after so long without clients, runs and commands; null: it stays'),
  ports: z.array(z.string()).describe('Addresses of its open ports, the oldest first'),
  fixedPorts: z
    .array(z.string())
    .describe(
      'Those of them whose number was asked for, such as by `serve --port`; the others change with each start',
    ),
  stopping: z.boolean().describe('It takes nothing new, and ends when what runs has ended'),
}).meta({ id: 'CoordinatorState' });
export type CoordinatorState = z.infer<typeof CoordinatorState>;

export const getCoordinator = defineOperation('GET', '/api/coordinator', {
  response: { 200: CoordinatorState },
});

/** Unchanged in every protocol version, since a newer program ends an older coordinator with it. */
export const stopCoordinator = defineOperation('POST', '/api/coordinator/stop', {
  body: z.strictObject({ when: z.enum(['now', 'drained', 'idle']) }),
  response: {
    200: z.object({
      kind: z
        .enum(['stopping', 'draining', 'busy'])
        .describe('It ends now; it ends when these have; it goes on, since these are at work'),
      ...AtWork,
    }),
  },
});
