import {
  CommandId,
  errorText,
  Execution,
  findUnavailable,
  HostPattern,
  Json,
  Lease,
  LoggedInTool,
  ReportedCode,
  SandboxError,
  type SignalboxError,
  ToolFailure,
  UnavailableError,
  UsageError,
} from '@signalbox/core';
import * as z from 'zod';

const Program = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('shell'), line: z.string() }),
  z.strictObject({ kind: z.literal('argv'), argv: z.tuple([z.string()], z.string()) }),
]);

const Limits = z.strictObject({
  timeoutMs: z.number(),
  memoryBytes: z.number().optional(),
  cpuPercent: z.number(),
  processes: z.number(),
  fileBytes: z.number(),
  openFiles: z.number(),
  writtenBytes: z.number().optional(),
  writtenFiles: z.number().optional(),
});

/** A program to run, sent by a coordinator to a worker. */
export const ExecutionOrder = z.strictObject({
  request: z.strictObject({
    commandId: CommandId,
    program: Program,
    cwd: z.string(),
    env: z.record(z.string(), z.string()),
    limits: Limits,
    network: z.union([
      z.enum(['on', 'off']),
      z.strictObject({ hosts: z.array(HostPattern), services: z.array(HostPattern).optional() }),
    ]),
    workspace: z.enum(['write', 'read']),
    readableHome: z.array(z.string()).optional(),
    agreed: z.array(z.string()).optional(),
    movesTree: z.boolean().optional(),
    fetches: z.boolean().optional(),
    replacesAnySize: z.boolean().optional(),
    login: LoggedInTool.optional(),
    stdin: z.string().optional(),
    terminal: z.boolean().optional(),
    answerCodes: z.array(z.int()).optional(),
    report: z.strictObject({ line: z.string(), env: z.record(z.string(), z.string()) }).optional(),
  }),
  /** The lease it runs under; null: it needs none. */
  lease: z.object(Lease.unwrap().shape).nullable(),
  deniedPatterns: z.array(z.string()),
  /** Whether the coordinator must approve before its changes are committed. */
  asksBeforeCommit: z.boolean(),
  /** The confinement the coordinator judged the call with; a worker that confines less rejects it. */
  needs: z.strictObject({
    sandboxed: z.boolean(),
    transactional: z.boolean(),
    /** Folders that must be private to the command. */
    ownFolders: z.array(z.string()).readonly().optional(),
  }),
  /** Sandbox settings of the coordinator, from which each worker creates an executor. */
  setup: Json,
});
export type ExecutionOrder = z.infer<typeof ExecutionOrder>;

/** How it ended, sent back to the coordinator. */
export const ExecutionReport = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('execution'), execution: Execution }),
  z.strictObject({
    kind: z.literal('tool-failure'),
    code: z.string(),
    category: z.custom<ToolFailure['category']>((value) => typeof value === 'string'),
    message: z.string(),
    suggestion: z.string().optional(),
    why: z.array(z.string()),
  }),
  z.strictObject({
    kind: z.enum(['sandbox', 'unavailable', 'usage']),
    code: ReportedCode,
    message: z.string(),
    why: z.array(z.string()),
    next: z.array(z.string()),
  }),
]);
export type ExecutionReport = z.infer<typeof ExecutionReport>;

/** Serialises what an executor threw, for another process. */
export function reportOf(error: unknown): ExecutionReport {
  if (error instanceof ToolFailure) {
    const { code, category, message, suggestion, why } = error;
    return {
      kind: 'tool-failure',
      code,
      category,
      message,
      why: [...why],
      ...(suggestion === undefined ? {} : { suggestion }),
    };
  }
  const away = findUnavailable(error);
  if (away !== undefined) return plainReport('unavailable', away);
  if (error instanceof SandboxError) return plainReport('sandbox', error);
  if (error instanceof UsageError) return plainReport('usage', error);
  const message = errorText(error);
  return {
    kind: 'sandbox',
    code: ReportedCode.parse('worker-failed'),
    message,
    why: ['the worker failed'],
    next: [],
  };
}

function plainReport(
  kind: 'sandbox' | 'unavailable' | 'usage',
  { code, message, why, next }: SignalboxError,
): ExecutionReport {
  return { kind, code: ReportedCode.parse(code), message, why: [...why], next: [...next] };
}

/** Returns the execution, or throws the error of the worker's executor. */
export function executionOf(report: ExecutionReport): Execution {
  switch (report.kind) {
    case 'execution':
      return report.execution;
    case 'tool-failure': {
      const { suggestion, ...failure } = report;
      throw new ToolFailure({ ...failure, ...(suggestion === undefined ? {} : { suggestion }) });
    }
    case 'usage':
      throw new UsageError(report.code, report.message, report);
    case 'unavailable':
      throw new UnavailableError(report.code, report.message, report);
    case 'sandbox':
      throw new SandboxError(report.message, {
        ...report,
        isOfCommand: report.code === 'command_not_confined',
      });
  }
}
