import {
  type CallContext,
  type Clock,
  type CommandId,
  type CommandRecord,
  type CommandResult,
  type Files,
  type Logger,
  nearestPaths,
  type SessionId,
  type Settings,
  type Suspect,
  ToolFailure,
  type Tool,
  type Verdict,
  walkFiles,
} from '@signalbox/core';
import type { EarlierCommand } from '../command/precheck/precheck.ts';
import { narrowedFiles } from '../execution/narrowed-files.ts';
import { confinementOf, type createDenials } from '../judging/confinement-of.ts';
import type { Judgement } from '../judging/judge-call.ts';
import { mayCreate, namedPaths } from './named-paths.ts';
import { namedIds } from './named-ids.ts';
import { createSeenWords } from './seen-words.ts';

/** Warns of paths and ids that a model has made up (P6, S001-123). Never refuses. */
export type Grounding = {
  /** Undefined: none, or the call is not checked. */
  suspectsOf(judged: Judged, record: CommandRecord): Promise<readonly Suspect[] | undefined>;
  /** What the model wrote and read is part of the conversation. */
  noteEnded(record: CommandRecord, result: CommandResult): void;
};

type Judged = Judgement & { readonly kind: 'judged' };

/** A model reads them in one line. */
const MAX_SUSPECTS = 3;
/** The names of the workspace are read again after this time. */
const LISTED_FOR_MS = 10_000;

export type GroundingParts = {
  readonly settings: Settings;
  readonly files: Files;
  readonly workspace: string;
  readonly lines: { readonly tests: string | null; readonly lint: string | null };
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly redact: (text: string) => string;
  readonly before: (record: CommandRecord) => Iterable<EarlierCommand>;
  readonly denialOf: ReturnType<typeof createDenials>;
};

/** Undefined when it is switched off. */
export function createGrounding(parts: GroundingParts): Grounding | undefined {
  const { settings, clock, redact } = parts;
  const { hallucination_detection: isOn, reasoning_model_detection: providers } = settings.agent;
  if (!isOn) return undefined;
  const seen = createSeenWords(parts.workspace);
  /** Calls of a session keep their order, however long the look-up of one takes. */
  const turns = new Map<SessionId, Promise<unknown>>();
  /** Of the calls in `turns`: a record has its verdict only when its look-up has ended. */
  const verdicts = new Map<SessionId, Map<CommandId, Verdict>>();
  const listings = new Map<string, { readonly at: number; readonly names: Promise<readonly string[]> }>();

  function isChecked({ provider, phase }: CallContext): boolean {
    const isModel = provider !== 'you' && phase !== 'verifier';
    return isModel && (providers.length === 0 || providers.includes(provider));
  }

  function filesFor(tool: Tool, { context, verdict }: Pick<CommandRecord, 'context' | 'verdict'>) {
    const { provider, trust } = context;
    const { agreed } = settings.sandbox.network;
    const timeoutMs = { call: undefined, tool: 0 };
    const { denyRead } = confinementOf(settings, {
      tool,
      provider,
      trust,
      verdict,
      line: null,
      agreed,
      timeoutMs,
    });
    const denied = parts.denialOf(denyRead);
    return {
      files: narrowedFiles(parts.files, denied),
      isDenied: denied ?? (() => false),
      key: denyRead.join('\n'),
    };
  }

  /** Listed once for the suspects of the next seconds. */
  function namesOf({ files, key }: ReturnType<typeof filesFor>): Promise<readonly string[]> {
    const at = clock.monotonic();
    const known = listings.get(key);
    if (known !== undefined && at - known.at < LISTED_FOR_MS) return known.names;
    const names = walkFiles(files, 'either');
    listings.clear();
    listings.set(key, { at, names });
    return names;
  }

  async function isMissing(path: string, { files, isDenied }: ReturnType<typeof filesFor>): Promise<boolean> {
    // Whether a hidden file exists is hidden too.
    if (isDenied(path)) return false;
    try {
      return (await files.stat(path)) === null;
    } catch (error) {
      if (error instanceof ToolFailure) return false;
      throw error;
    }
  }

  async function find(
    { tool, judged: { call, verdict } }: Judged,
    record: CommandRecord,
  ): Promise<readonly Suspect[] | undefined> {
    const { context } = record;
    const { sessionId, task, identity } = context;
    if (task !== undefined && !seen.knows(sessionId)) seen.note(sessionId, task);
    const line = tool.shellLine?.(call.args, parts.lines).line ?? null;
    const lookup = filesFor(tool, { context, verdict });
    const open = [...parts.before(record)]
      .map((runner) => runner.record())
      .filter((other) => other.state !== 'done' && other.context.sessionId === sessionId);
    const found: Suspect[] = [];
    for (const path of namedPaths({ tool, line }, verdict)) {
      if (found.length >= MAX_SUSPECTS) break;
      const mayComeFromEarlier = open.some((other) => {
        const known = other.verdict ?? verdicts.get(sessionId)?.get(other.id);
        return known?.effects.some((effect) => mayCreate(effect, path)) ?? true;
      });
      if (mayComeFromEarlier || seen.hasPath(sessionId, path) || !(await isMissing(path, lookup))) continue;
      const all = (): Promise<readonly string[]> => namesOf(lookup);
      const nearest = await nearestPaths(path, { files: lookup.files, wanted: 'either', all });
      found.push({ kind: 'path', text: redact(path), nearest: nearest.map(redact) });
    }
    // An agent that connects by itself has read more than it was told here.
    const isFollowed = task !== undefined && identity !== 'provider';
    const ids = isFollowed ? namedIds(tool, { args: call.args, line }) : [];
    for (const id of ids.filter((one) => !seen.hasId(sessionId, one)))
      if (found.length < MAX_SUSPECTS) found.push({ kind: 'id', text: redact(id), nearest: [] });
    return found.length === 0 ? undefined : found;
  }

  /** A failed look-up never fails a call. */
  async function findIfPossible(judged: Judged, record: CommandRecord): ReturnType<typeof find> {
    try {
      return await find(judged, record);
    } catch (error) {
      parts.logger.warn({ commandId: record.id, error }, 'not checked for made-up names');
      return undefined;
    }
  }

  return {
    async suspectsOf(judged, record) {
      const { context } = record;
      if (!isChecked(context)) return undefined;
      const { sessionId } = context;
      const earlier = turns.get(sessionId) ?? Promise.resolve();
      const known = verdicts.get(sessionId) ?? new Map<CommandId, Verdict>();
      verdicts.set(sessionId, known.set(record.id, judged.judged.verdict));
      const turn = earlier.then(() => findIfPossible(judged, record));
      turns.set(sessionId, turn);
      const suspects = await turn;
      if (turns.get(sessionId) === turn) {
        turns.delete(sessionId);
        verdicts.delete(sessionId);
      }
      return suspects;
    },

    noteEnded(record, { content, notes = [] }) {
      if (!isChecked(record.context)) return;
      const args = JSON.stringify(record.call.args);
      for (const text of [args, content, ...notes]) seen.note(record.context.sessionId, text);
    },
  };
}
