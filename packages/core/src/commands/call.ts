import * as z from 'zod';
import { ClientEnvironment } from '../client-environment.ts';
import { ProviderId, SessionId } from '../id.ts';
import { JsonObject } from '../json.ts';

/** Letters, digits and `_`, as every provider's API accepts. */
export const ToolName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/);
export type ToolName = z.infer<typeof ToolName>;

/** A call as it arrives: unchecked and untrusted. */
export const RawCall = z
  .strictObject({
    /** The provider's id of the call; every id gets exactly one result. */
    callId: z.string().min(1).max(256),
    /** May be the name of no tool. */
    tool: z.string().max(256),
    /** The text as the model wrote it, or an object that is parsed already. */
    args: z.union([z.string(), z.record(z.string(), z.unknown())]),
  })
  .readonly();
export type RawCall = z.infer<typeof RawCall>;

/** What a session sends. Pure data: immutable, serialisable, no behaviour. */
export const Call = z
  .strictObject({
    callId: z.string(),
    /** Name of a registered tool, e.g. `write_file`. */
    tool: z.string(),
    /** Parsed by the tool's own schema, defaults filled in. */
    args: JsonObject,
  })
  .readonly();
export type Call = z.infer<typeof Call>;

/** The phase of a session in which a call is made; set by the caller, never guessed from the tool (S001-121). */
export const Phase = z.enum(['planner', 'executor', 'verifier', 'autonomous']);
export type Phase = z.infer<typeof Phase>;

/** How far a provider is trusted; affects what is approved without asking (D5, S001-15). */
export const Trust = z.enum(['untrusted', 'provisional', 'trusted']);
export type Trust = z.infer<typeof Trust>;

/** The caller and its circumstances (A8). */
export const CallContext = z
  .strictObject({
    sessionId: SessionId,
    provider: ProviderId,
    /** Set when a sub-agent calls, absent for the session itself (S001-130). */
    callerId: z.string().optional(),
    phase: Phase.default('executor'),
    trust: Trust.default('provisional'),
    /** Additional environment of a shell line; the executor refuses names that change what a line means. */
    env: z.record(z.string(), z.string()).readonly().optional(),
    /** Program path, language and time zone of the client's shell. Default: the coordinator's. */
    clientEnv: ClientEnvironment.optional(),
    /** The tools that the session declared, by name; a call of another one is not found (A6). Absent: all. */
    tools: z.array(z.string()).readonly().optional(),
    /**
     * Whose earlier commands the caller may read: `provider` for an agent, whose connections are one identity. Absent:
     * those of its session.
     */
    identity: z.enum(['session', 'provider']).optional(),
    /** 0 is served first; among commands that are ready, the lower number starts first. Default 100. */
    priority: z.int().min(0).max(1000).default(100),
    /** Upper bound on execution in milliseconds, waiting not counted; at most an hour. */
    timeoutMs: z.int().positive().max(3_600_000).optional(),
    /** One per task, and one per call: they join our log lines with external traces (S000-53). */
    traceId: z.string().optional(),
    spanId: z.string().optional(),
    /** The model's description of what it is doing, and its task: shown to the approver. */
    says: z.string().max(2000).optional(),
    task: z.string().max(10_000).optional(),
    /**
     * Whether the model wrote thoughts before the arguments. Set for tools with a complex schema alone, so that invalid
     * arguments with and without thoughts can be compared.
     */
    thought: z.boolean().optional(),
    /** `never`: a call that needs approval is refused at once (`exec --no-wait`). Default `wait`. */
    asking: z.enum(['wait', 'never']).default('wait'),
    /** Nobody is expected to answer: a question to a person is answered at once, with that. */
    unattended: z.boolean().optional(),
    /** Its session also waits for a late answer: an expired approval pauses it. Absent: the call ends then. */
    pausesOnExpiry: z.boolean().optional(),
  })
  .readonly();
export type CallContext = z.infer<typeof CallContext>;
/** The same before the defaults are filled in. */
export type CallContextInput = z.input<typeof CallContext>;
