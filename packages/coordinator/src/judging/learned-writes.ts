import { createHash } from 'node:crypto';
import {
  canonicalJson,
  Claim,
  type CommandRecord,
  type Facts,
  type Logger,
  type Tool,
} from '@signalbox/core';
import * as z from 'zod';

/** The writes of lines that were in conflict with others: the line claims them before its next start. */
export type LearnedWrites = {
  /** Resolves when what earlier processes learned is loaded. */
  readonly loaded: Promise<void>;
  of(record: CommandRecord, tool: Tool): readonly Claim[];
  learn(record: CommandRecord, tool: Tool, options: Readonly<{ claims: readonly Claim[] }>): void;
};

/** Lines kept; the oldest are dropped. */
const MAX_LINES = 200;
/** A line with more writes is rerun if it is in conflict, and blocks no other command before. */
const MAX_CLAIMS = 32;
/** Other coordinators write the same fact. */
const TRIES = 5;

const FACT = 'learned-writes';
const Learned = z.array(z.tuple([z.string(), z.array(Claim)]));
type Learned = z.infer<typeof Learned>;

export function createLearnedWrites({
  facts,
  lines,
  logger,
}: {
  readonly facts: Facts;
  readonly lines: Parameters<NonNullable<Tool['shellLine']>>[1];
  readonly logger: Logger;
}): LearnedWrites {
  let known: ReadonlyMap<string, readonly Claim[]> = new Map();

  /** Data stored by another version is ignored. */
  async function load(): Promise<void> {
    try {
      known = new Map(Learned.catch([]).parse(await facts.get(FACT)));
    } catch (error) {
      logger.warn({ error }, 'learned write sets not read; lines in conflict run again');
    }
  }

  async function store(key: string, claims: readonly Claim[]): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      const stored = await facts.get(FACT);
      const others = Learned.catch([])
        .parse(stored)
        .filter(([line]) => line !== key);
      const next: Learned = [...others.slice(1 - MAX_LINES), [key, [...claims]]];
      if (await facts.compareAndSet(FACT, { expected: stored, value: next })) return;
    }
  }

  function keyOf(record: CommandRecord, tool: Tool): string | null {
    const call = tool.shellLine?.(record.call.args, lines);
    if (call === undefined) return null;
    const text = canonicalJson([tool.name, call.line, call.cwd ?? '.']);
    return createHash('sha256').update(text).digest('hex');
  }

  facts.watch?.(FACT, () => void load());

  return {
    loaded: load(),
    of(record, tool) {
      const key = known.size === 0 ? null : keyOf(record, tool);
      return key === null ? [] : (known.get(key) ?? []);
    },
    learn(record, tool, { claims }) {
      const key = keyOf(record, tool);
      if (key === null || claims.length > MAX_CLAIMS) return;
      known = new Map([...known, [key, claims]]);
      store(key, claims).catch((error: unknown) => {
        logger.warn({ commandId: record.id, error }, 'write set not learned');
      });
    },
  };
}
