import { type Claim, CONFLICTING_MODES, lockEntries, type LockMode } from '@signalbox/core';

/** An owner's place on the scoreboard: its entries, and how many of them still wait. */
export type Ticket<Owner> = {
  readonly owner: Owner;
  /** Order of arrival, from 1. */
  readonly arrival: number;
  readonly entries: Entry<Owner>[];
  /** Entries that a conflicting earlier one stands before. At 0 the owner may run. */
  blocked: number;
};

/** One mode on one node, linked into the arrival list of its kind. */
type Entry<Owner> = {
  readonly ticket: Ticket<Owner>;
  readonly node: Node<Owner>;
  readonly mode: LockMode;
  before: Entry<Owner> | null;
  after: Entry<Owner> | null;
};

/** The unfinished entries of one mode on one node, by arrival. Free ones are a prefix: `firstBlocked` ends it. */
type ArrivalList<Owner> = {
  first: Entry<Owner> | null;
  last: Entry<Owner> | null;
  firstBlocked: Entry<Owner> | null;
};

type Node<Owner> = {
  readonly name: string;
  readonly lists: Readonly<Record<LockMode, ArrivalList<Owner>>>;
  size: number;
};

/**
 * Who holds and who waits, exactly and in arrival order.
 *
 * An entry is free when no unfinished entry of a conflicting mode stands on its node with an earlier
 * arrival; an owner may run when all its entries are free. So the free entries of a (node, mode) list are
 * those up to a watermark: the earliest entry of the conflicting modes. When an entry leaves, watermarks
 * only rise, and each entry is passed once: the cost does not depend on how many wait.
 */
export type Scoreboard<Owner> = {
  /** Enters all claims in one step, after everybody who came before. */
  add(owner: Owner, claims: readonly Claim[]): Ticket<Owner>;
  /** Takes a ticket out, whether it ran or waited; answers who may run now because of it, by arrival. */
  remove(ticket: Ticket<Owner>): readonly Ticket<Owner>[];
  /** The earliest `limit` owners that stand before this ticket. */
  blockers(ticket: Ticket<Owner>, limit: number): readonly Owner[];
};

export function createScoreboard<Owner>(): Scoreboard<Owner> {
  const nodes = new Map<string, Node<Owner>>();
  let arrivals = 0;

  return {
    add(owner, claims) {
      arrivals += 1;
      const ticket: Ticket<Owner> = { owner, arrival: arrivals, entries: [], blocked: 0 };
      for (const { node: name, mode } of lockEntries(claims)) {
        let node = nodes.get(name);
        if (node === undefined) nodes.set(name, (node = createNode(name)));
        const entry: Entry<Owner> = { ticket, node, mode, before: null, after: null };
        ticket.entries.push(entry);
        append(entry);
      }
      return ticket;
    },

    remove(ticket) {
      const risen: Entry<Owner>[] = [];
      for (const entry of ticket.entries) {
        if (unlink(entry)) risen.push(entry);
        if (entry.node.size === 0) nodes.delete(entry.node.name);
      }
      const freed: Ticket<Owner>[] = [];
      for (const { node, mode } of risen)
        for (const waiting of CONFLICTING_MODES[mode]) raiseWatermark(node, waiting, freed);
      return freed.toSorted((a, b) => a.arrival - b.arrival);
    },

    blockers(ticket, limit) {
      const found = new Map<number, Owner>();
      for (const { node, mode } of ticket.entries)
        for (const other of CONFLICTING_MODES[mode]) collectEarlier(node.lists[other], ticket, limit, found);
      return [...found]
        .toSorted(([a], [b]) => a - b)
        .slice(0, limit)
        .map(([, owner]) => owner);
    },
  };
}

function createNode<Owner>(name: string): Node<Owner> {
  const list = (): ArrivalList<Owner> => ({ first: null, last: null, firstBlocked: null });
  return { name, size: 0, lists: { IS: list(), IX: list(), S: list(), X: list() } };
}

/** Every entry on the node is earlier than the new one, so any conflicting one of another ticket blocks it. */
function append<Owner>(entry: Entry<Owner>): void {
  const { node, mode, ticket } = entry;
  const list = node.lists[mode];
  if (watermark(node, mode) < ticket.arrival) {
    ticket.blocked += 1;
    list.firstBlocked ??= entry;
  }
  entry.before = list.last;
  if (list.last === null) list.first = entry;
  else list.last.after = entry;
  list.last = entry;
  node.size += 1;
}

/** Whether it was the first of its list, so that watermarks may have risen. */
function unlink<Owner>(entry: Entry<Owner>): boolean {
  const { node, mode, before, after } = entry;
  const list = node.lists[mode];
  if (before === null) list.first = after;
  else before.after = after;
  if (after === null) list.last = before;
  else after.before = before;
  if (list.firstBlocked === entry) list.firstBlocked = after;
  node.size -= 1;
  return before === null;
}

/** Arrival of the earliest entry that conflicts with the mode on that node. */
function watermark<Owner>(node: Node<Owner>, mode: LockMode): number {
  let earliest = Infinity;
  for (const other of CONFLICTING_MODES[mode])
    earliest = Math.min(earliest, node.lists[other].first?.ticket.arrival ?? Infinity);
  return earliest;
}

function raiseWatermark<Owner>(node: Node<Owner>, mode: LockMode, freed: Ticket<Owner>[]): void {
  const list = node.lists[mode];
  if (list.firstBlocked === null) return;
  const limit = watermark(node, mode);
  // A ticket's own entry may be the earliest: it does not block itself.
  while (list.firstBlocked !== null && list.firstBlocked.ticket.arrival <= limit) {
    const { ticket } = list.firstBlocked;
    ticket.blocked -= 1;
    if (ticket.blocked === 0) freed.push(ticket);
    list.firstBlocked = list.firstBlocked.after;
  }
}

function collectEarlier<Owner>(
  list: ArrivalList<Owner>,
  ticket: Ticket<Owner>,
  limit: number,
  found: Map<number, Owner>,
): void {
  let entry = list.first;
  for (let count = 0; count < limit && entry !== null && entry.ticket.arrival < ticket.arrival; count++) {
    found.set(entry.ticket.arrival, entry.ticket.owner);
    entry = entry.after;
  }
}
