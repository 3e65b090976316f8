import * as z from 'zod';

/** Crockford's base 32 in lower case: no `i`, `l`, `o` or `u`, so no id is misread or spells a word. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const LETTERS = 'abcdefghjkmnpqrstvwxyz';
const LENGTH = 12;

const PREFIXES = {
  command: 'cmd',
  session: 'ses',
  run: 'run',
  lease: 'lse',
  turn: 'trn',
  coordinator: 'cor',
  worker: 'wrk',
  execution: 'exe',
  workspace: 'wsp',
} as const;
type IdKind = keyof typeof PREFIXES;

function idSchema(prefix: string): z.ZodString {
  return z.string().regex(new RegExp(`^${prefix}_[${LETTERS}][${DIGITS}]{${LENGTH - 1}}$`));
}

export const CommandId = idSchema(PREFIXES.command).brand<'CommandId'>();
export type CommandId = z.infer<typeof CommandId>;

export const SessionId = idSchema(PREFIXES.session).brand<'SessionId'>();
export type SessionId = z.infer<typeof SessionId>;

/** Sessions that were started together, and the line that checks whether their work is done. */
export const RunId = idSchema(PREFIXES.run).brand<'RunId'>();
export type RunId = z.infer<typeof RunId>;

export const LeaseId = idSchema(PREFIXES.lease).brand<'LeaseId'>();
export type LeaseId = z.infer<typeof LeaseId>;

/** A node of a workspace: a coordinator (`cor_…`) or a worker (`wrk_…`). */
export const NodeId = z
  .union([idSchema(PREFIXES.coordinator), idSchema(PREFIXES.worker)])
  .brand<'MemberId'>();
export type NodeId = z.infer<typeof NodeId>;

/** One execution of a program for a command, which may have several: a repetition, or several lines. */
export const ExecutionId = idSchema(PREFIXES.execution).brand<'ExecutionId'>();
export type ExecutionId = z.infer<typeof ExecutionId>;

/** A tree of files that several processes work in, wherever each of them mounts it. */
export const WorkspaceId = idSchema(PREFIXES.workspace).brand<'WorkspaceId'>();
export type WorkspaceId = z.infer<typeof WorkspaceId>;

/** Name of a provider in `signalbox.yaml`: `anthropic`, `openai`, `local-2`; `you` is the person at the terminal. */
export const ProviderId = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,31}$/)
  .brand<'ProviderId'>();
export type ProviderId = z.infer<typeof ProviderId>;

/** Fills an array of the given length with unpredictable bytes. Node: `randomBytes`; browser: `crypto.getRandomValues`. */
export type RandomBytes = (length: number) => Uint8Array;

type IdOf = {
  command: CommandId;
  session: SessionId;
  run: RunId;
  lease: LeaseId;
  turn: string;
  coordinator: NodeId;
  worker: NodeId;
  execution: ExecutionId;
  workspace: WorkspaceId;
};

/**
 * A new id, such as `cmd_m2qdw8x0k4tz`: 59 random bits. It begins with a letter, so that no id looks like a number or a
 * flag, and a double click selects it.
 */
export function createId<Kind extends IdKind>(kind: Kind, random: RandomBytes): IdOf[Kind] {
  const bytes = random(LENGTH);
  let text = LETTERS[(bytes[0] ?? 0) % LETTERS.length] ?? 'a';
  for (let i = 1; i < LENGTH; i++) text += DIGITS[(bytes[i] ?? 0) % DIGITS.length] ?? '0';
  return `${PREFIXES[kind]}_${text}` as IdOf[Kind];
}
