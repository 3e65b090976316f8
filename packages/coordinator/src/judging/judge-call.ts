import {
  type Call,
  type CallContext,
  type CallHash,
  canonicalToolName,
  type CommandRecord,
  type Failure,
  InvariantError,
  type JsonObject,
  type Mode,
  nearestWord,
  type Outcome,
  type RawCall,
  type Ruling,
  type Settings,
  type Tool,
  ToolFailure,
  type ToolRegistry,
  type Verdict,
} from '@signalbox/core';
import { type Policy, type Question, ruleOnFetches } from '@signalbox/policy';
import { hashOfCall } from '../approval/call-hash.ts';
import type { Redact } from '../command/command-result.ts';
import { argsAsSent } from './args-as-sent.ts';
import { hiddenPart } from './hidden-part.ts';
import type { CallJudgement } from './judged.ts';
import { parseArgs } from './parse-args.ts';
import { claimsOfCall, isReversible } from './transaction-facts.ts';
import { verdictOfCall, type VerdictParts } from './verdict-of-call.ts';

export type Judgement =
  /** Can't be judged: no such tool, invalid arguments, a path outside. */
  | {
      readonly kind: 'rejected';
      readonly title: string;
      /** As far as they could be parsed: for the audit. */
      readonly args: JsonObject;
      readonly outcome: Outcome;
    }
  | {
      readonly kind: 'judged';
      readonly tool: Tool;
      readonly judged: CallJudgement;
      readonly ruling: Ruling;
      readonly question: Question;
    };

export type JudgeDependencies = VerdictParts & {
  readonly tools: ToolRegistry;
  readonly policy: Policy;
  /** Whether commands are currently confined. */
  readonly sandboxed: boolean;
  /** Whether shell lines currently run as transactions: their writes are known exactly, and can be undone. */
  readonly transactional: boolean;
  readonly settings: Pick<Settings, 'isolation'>;
  readonly redact: Redact;
};

const MAX_TITLE = 200;
/** The mark that a redactor leaves in place of a secret. */
const REDACTED = /\[redacted:[a-z0-9-]+\]/;

/**
 * Judges a call, without side effects, in the order of X-06: registered, valid, classified, then the policy's checks:
 * mode, block list, paths and sizes. Rates are counted elsewhere.
 */
export function judgeCall(
  raw: RawCall,
  circumstances: { readonly context: CallContext; readonly mode: Mode },
  parts: JudgeDependencies,
): Judgement {
  const tool = toolFor(raw.tool, circumstances.context, parts.tools);
  if (tool === undefined) {
    const title = raw.tool.slice(0, 64);
    return rejected(
      { title, args: argsAsSent(raw.args), failure: unknownTool(raw.tool, circumstances, parts) },
      parts,
    );
  }
  const parsed = parseArgs(raw.args, tool);
  if ('failure' in parsed) {
    return rejected({ title: tool.name, args: argsAsSent(raw.args), failure: parsed.failure }, parts);
  }
  const title = titleOf(tool, parsed.args, parts.redact);
  if (tool.category === 'system_write' && REDACTED.test(JSON.stringify(parsed.args))) {
    return rejected({ title, args: parsed.args, failure: writesRedacted(tool) }, parts);
  }
  const failure = hiddenPart({ tool, args: parsed.args }, { ...circumstances, redact: parts.redact });
  if (failure !== undefined) return rejected({ title, args: parsed.args, failure }, parts);
  try {
    const judgedVerdict = verdictOfCall(tool, parsed.args, parts);
    const verdict = withoutSecrets(judgedVerdict, parts.redact);
    const call: Call = { callId: raw.callId, tool: tool.name, args: parsed.args };
    const contentBytes = contentBytesOf(parsed.args);
    const line = tool.shellLine?.(parsed.args, parts.lines).line ?? null;
    const { sandboxed, ownFolders } = parts;
    const reversible = isReversible(tool, parts);
    const { question, ruling } = ruleOnFetches(
      { tool, verdict, line, ...circumstances, sandboxed, ownFolders, reversible, contentBytes },
      parts.policy,
    );
    return {
      kind: 'judged',
      tool,
      question,
      ruling,
      judged: {
        call,
        ...(tool.origin === undefined ? {} : { origin: tool.origin }),
        callHash: callHashOf(call, tool, parts),
        title,
        verdict: question.verdict,
        mode: circumstances.mode,
        claims: claimsOfCall(verdict, tool, parts),
      },
    };
  } catch (error) {
    if (error instanceof ToolFailure) {
      return rejected({ title, args: parsed.args, failure: error.toFailure() }, parts);
    }
    throw error;
  }
}

/** @throws {ToolFailure} when its shell line can't be built because configuration is missing. */
export function callHashOf(
  call: Call,
  tool: Tool,
  parts: Pick<JudgeDependencies, 'workspace' | 'lines'> & { readonly policy: Pick<Policy, 'version'> },
): CallHash {
  const line = tool.shellLine?.(call.args, parts.lines).line ?? null;
  const { definition } = tool;
  const bounds = { workspace: parts.workspace, policyVersion: parts.policy.version, line };
  return hashOfCall(call, definition === undefined ? bounds : { ...bounds, definition });
}

/** A session that declared its tools has no others (A6), apart from those that concern the session itself. */
function toolFor(
  name: string,
  { tools: declared, provider, identity }: CallContext,
  tools: ToolRegistry,
): Tool | undefined {
  const tool = tools.get(name);
  if (tool?.audience === 'people' && provider !== 'you') return undefined;
  // Agents and people have no conversation here.
  if (tool?.audience === 'sessions') return identity === 'provider' || provider === 'you' ? undefined : tool;
  return tool === undefined || declared?.includes(tool.name) === false ? undefined : tool;
}

/** A model that read a redacted file would write it back without the secrets. */
function writesRedacted(tool: Tool): Failure {
  return {
    code: 'redacted-content',
    category: 'InvalidParameters',
    message: `Cannot call ${tool.name}: its text contains a [redacted:…] mark and would overwrite the secret there`,
    suggestion: 'Change only other lines, with edit_file; leave the secret to the user',
    visibility: 'visible',
  };
}

/** Names only tools that the caller is offered: any other would be denied as well. */
function unknownTool(
  name: string,
  { context, mode }: { readonly context: CallContext; readonly mode: Mode },
  { tools, policy, redact }: JudgeDependencies,
): Failure {
  const declared = context.tools ?? null;
  const offered = tools
    .list()
    .filter((tool) => policy.offerObstacle(tool, { mode, declared, phase: context.phase }) === null);
  const plain = plainName(name);
  const meant =
    offered.find((tool) => tool.name === canonicalToolName(plain) || tool.aliases.includes(plain)) ??
    nearestTool(plain, offered);
  const names = offered.map((tool) => tool.name).join(', ');
  const missing = `Unknown tool ${JSON.stringify(redact.text(name.slice(0, 64)))}`;
  return {
    code: 'tool-not-found',
    category: 'ToolNotFound',
    message: meant === undefined ? missing : `${missing}; did you mean ${JSON.stringify(meant.name)}?`,
    suggestion: meant === undefined ? `Call one of: ${names}` : `Call ${meant.name}, or another of: ${names}`,
    visibility: 'visible',
  };
}

/** In the style of our tool names: without the agent's prefixes, and `readFile` or `Read-File` as `read_file`. */
function plainName(name: string): string {
  return name
    .slice(0, 200)
    .replace(/^(?:mcp__)?signalbox_+/i, '')
    .replace(/^signalbox_/i, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

function nearestTool(name: string, offered: readonly Tool[]): Tool | undefined {
  const spellings = new Map(
    offered.flatMap((tool) => [tool.name, ...tool.aliases].map((one) => [one, tool])),
  );
  const meant = nearestWord(name, spellings.keys());
  return meant === undefined ? undefined : spellings.get(meant);
}

function rejected(
  call: { readonly title: string; readonly args: JsonObject; readonly failure: Failure },
  parts: JudgeDependencies,
): Judgement {
  const { title, args, failure } = call;
  const kind = failure.category === 'PolicyBlocked' ? 'denied' : 'failed';
  return { kind: 'rejected', title: parts.redact.text(title), args, outcome: { kind, failure } };
}

function titleOf(tool: Tool, args: JsonObject, redact: Redact): string {
  const description = tool.describe(args);
  // A newline between commands of a shell line is layout; in a name it is content. Invisible characters are handled by
  // the display.
  const row = tool.shellLine === undefined ? description.replaceAll('\n', String.raw`\n`) : description;
  const text = `${tool.name} ${row.replaceAll(/[\t\n\r ]+/g, ' ')}`.trim();
  const redacted = redact.text(text);
  return redacted.length <= MAX_TITLE ? redacted : `${redacted.slice(0, MAX_TITLE - 1)}…`;
}

/** UTF-8 bytes of the largest text among the arguments, which size limits apply to. */
function contentBytesOf(args: JsonObject): number {
  const sizes = Object.values(args).map((value) =>
    typeof value === 'string' ? Buffer.byteLength(value) : 0,
  );
  return Math.max(0, ...sizes);
}

/** Reasons quote the line, and go into events, records and screens. */
function withoutSecrets(verdict: Verdict, redact: Redact): Verdict {
  return {
    ...verdict,
    reasons: verdict.reasons.map((reason) => ({ ...reason, text: redact.text(reason.text) })),
  };
}

/** The policy question of a stored command, under current circumstances. */
export function questionOf(
  tool: Tool,
  record: CommandRecord,
  circumstances: Pick<JudgeDependencies, 'lines' | 'sandboxed' | 'ownFolders' | 'transactional'> & {
    readonly mode: Mode;
  },
): Question {
  const { mode, sandboxed, ownFolders, lines } = circumstances;
  if (record.verdict === null)
    throw new InvariantError(`Cannot judge ${record.id} again: it was never classified`);
  return {
    tool,
    verdict: record.verdict,
    line: tool.shellLine?.(record.call.args, lines).line ?? null,
    mode,
    context: record.context,
    sandboxed,
    ownFolders,
    reversible: isReversible(tool, circumstances),
    contentBytes: contentBytesOf(record.call.args),
  };
}
