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

/** What lines wrote that were in conflict with others: they claim it before they start, the next time. */
export type LearnedWrites = {
  /** When what earlier processes learned is known. */
  readonly loaded: Promise<void>;
  of(record: CommandRecord, tool: Tool): readonly Claim[];
  learn(record: CommandRecord, tool: Tool, claims: readonly Claim[]): void;
};

/** Of lines; those learned first are forgotten. */
const MOST_LINES = 200;
/** A line that writes more runs again when it is in conflict, and holds up nobody else before. */
const MOST_CLAIMS = 32;
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

  /** What was stored by another version counts as nothing. */
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
      const next: Learned = [...others.slice(1 - MOST_LINES), [key, [...claims]]];
      if (await facts.compareAndSet(FACT, stored, next)) return;
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
    learn(record, tool, claims) {
      const key = keyOf(record, tool);
      if (key === null || claims.length > MOST_CLAIMS) return;
      known = new Map([...known, [key, claims]]);
      store(key, claims).catch((error: unknown) => {
        logger.warn({ commandId: record.id, error }, 'write set not learned');
      });
    },
  };
}
