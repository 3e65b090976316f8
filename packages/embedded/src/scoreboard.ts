import { type Claim, CONFLICTING_MODES, lockEntries, type LockMode } from '@signalbox/core';

/** An owner's entries on the scoreboard, and how many of them are still blocked. */
export type Ticket<Owner> = {
  readonly owner: Owner;
  /** Order of arrival, from 1. */
  readonly arrival: number;
  entries: readonly Entry<Owner>[];
  /** Entries behind a conflicting earlier one. At 0 the owner may run. */
  blocked: number;
};

/** One mode on one node, linked into its arrival list. A hundred thousand may wait, so every field counts. */
type Entry<Owner> = {
  readonly ticket: Ticket<Owner>;
  readonly list: ArrivalList<Owner>;
  before: Entry<Owner> | null;
  after: Entry<Owner> | null;
};

/**
 * The unfinished entries of one mode on one node, by arrival. Free ones form a prefix that ends before `firstBlocked`.
 */
type ArrivalList<Owner> = {
  readonly node: Node<Owner>;
  readonly mode: LockMode;
  first: Entry<Owner> | null;
  last: Entry<Owner> | null;
  firstBlocked: Entry<Owner> | null;
};

type Node<Owner> = {
  readonly name: string;
  readonly lists: Record<LockMode, ArrivalList<Owner> | null>;
  size: number;
};

/**
 * Tracks who holds and who waits, exactly and in arrival order.
 *
 * An entry is free when its node has no unfinished entry of a conflicting mode with an earlier arrival. An owner may
 * run when all its entries are free. So the free entries of a (node, mode) list are those up to a watermark: the
 * earliest entry of the conflicting modes. When an entry leaves, watermarks only rise, and each entry is passed once:
 * the cost does not depend on the number of waiting entries.
 */
export type Scoreboard<Owner> = {
  /** Enters all claims in one step, behind every earlier arrival. */
  add(owner: Owner, claims: readonly Claim[]): Ticket<Owner>;
  /** Removes a ticket, whether it ran or waited, and returns the owners that may run as a result. */
  remove(ticket: Ticket<Owner>): readonly Ticket<Owner>[];
  /** The earliest `limit` owners that block this ticket. */
  blockers(ticket: Ticket<Owner>, limit: number): readonly Owner[];
};

export function createScoreboard<Owner>(): Scoreboard<Owner> {
  const nodes = new Map<string, Node<Owner>>();
  let arrivals = 0;

  const listFor = (name: string, mode: LockMode): ArrivalList<Owner> => {
    let node = nodes.get(name);
    if (node === undefined) nodes.set(name, (node = createNode(name)));
    return (node.lists[mode] ??= createList(node, mode));
  };

  return {
    add(owner, claims) {
      arrivals += 1;
      const ticket: Ticket<Owner> = { owner, arrival: arrivals, entries: [], blocked: 0 };
      ticket.entries = lockEntries(claims).map(({ node, mode }) => append(ticket, listFor(node, mode)));
      return ticket;
    },

    remove(ticket) {
      const advanced: ArrivalList<Owner>[] = [];
      for (const entry of ticket.entries) {
        const { node } = entry.list;
        if (unlink(entry)) advanced.push(entry.list);
        if (node.size === 0) nodes.delete(node.name);
      }
      const freed: Ticket<Owner>[] = [];
      for (const { node, mode } of advanced)
        for (const waiting of CONFLICTING_MODES[mode]) raiseWatermark(node, waiting, { freed });
      return freed;
    },

    blockers(ticket, limit) {
      const lists = ticket.entries.flatMap(({ list }) => listsBefore(ticket, list));
      const earlier = lists.flatMap((list) => firstOf(list, limit, ticket));
      const inOrder = lists.length < 2 ? earlier : [...new Set(earlier)].toSorted(byArrival).slice(0, limit);
      return inOrder.map(({ owner }) => owner);
    },
  };
}

function createNode<Owner>(name: string): Node<Owner> {
  return { name, size: 0, lists: { IS: null, IX: null, S: null, X: null } };
}

function createList<Owner>(node: Node<Owner>, mode: LockMode): ArrivalList<Owner> {
  return { node, mode, first: null, last: null, firstBlocked: null };
}

/** Every entry on the node is earlier than the new one, so any conflicting one of another ticket blocks it. */
function append<Owner>(ticket: Ticket<Owner>, list: ArrivalList<Owner>): Entry<Owner> {
  const entry: Entry<Owner> = { ticket, list, before: list.last, after: null };
  if (watermark(list.node, list.mode) < ticket.arrival) {
    ticket.blocked += 1;
    list.firstBlocked ??= entry;
  }
  if (list.last === null) list.first = entry;
  else list.last.after = entry;
  list.last = entry;
  list.node.size += 1;
  return entry;
}

/** Returns whether it was the first of its list, so that watermarks may have risen. */
function unlink<Owner>(entry: Entry<Owner>): boolean {
  const { list, before, after } = entry;
  if (before === null) list.first = after;
  else before.after = after;
  if (after === null) list.last = before;
  else after.before = before;
  if (list.firstBlocked === entry) list.firstBlocked = after;
  list.node.size -= 1;
  return before === null;
}

/** Arrival of the earliest entry that conflicts with the mode on that node. */
function watermark<Owner>(node: Node<Owner>, mode: LockMode): number {
  let earliest = Infinity;
  for (const other of CONFLICTING_MODES[mode])
    earliest = Math.min(earliest, node.lists[other]?.first?.ticket.arrival ?? Infinity);
  return earliest;
}

function raiseWatermark<Owner>(
  node: Node<Owner>,
  mode: LockMode,
  { freed }: Readonly<{ freed: Ticket<Owner>[] }>,
): void {
  const list = node.lists[mode];
  if (list === null || list.firstBlocked === null) return;
  const limit = watermark(node, mode);
  // A ticket's own entry may be the earliest; it does not block itself.
  while (list.firstBlocked !== null && list.firstBlocked.ticket.arrival <= limit) {
    const { ticket } = list.firstBlocked;
    ticket.blocked -= 1;
    if (ticket.blocked === 0) freed.push(ticket);
    list.firstBlocked = list.firstBlocked.after;
  }
}

/** The lists that conflict with this one and have an entry before the ticket. */
function listsBefore<Owner>(
  ticket: Ticket<Owner>,
  { node, mode }: ArrivalList<Owner>,
): readonly ArrivalList<Owner>[] {
  const lists: ArrivalList<Owner>[] = [];
  for (const other of CONFLICTING_MODES[mode]) {
    const list = node.lists[other];
    if (list !== null && (list.first?.ticket.arrival ?? Infinity) < ticket.arrival) lists.push(list);
  }
  return lists;
}

function firstOf<Owner>(
  list: ArrivalList<Owner>,
  limit: number,
  ticket: Ticket<Owner>,
): readonly Ticket<Owner>[] {
  const found: Ticket<Owner>[] = [];
  let entry = list.first;
  while (entry !== null && found.length < limit && entry.ticket.arrival < ticket.arrival) {
    found.push(entry.ticket);
    entry = entry.after;
  }
  return found;
}

function byArrival(a: Ticket<unknown>, b: Ticket<unknown>): number {
  return a.arrival - b.arrival;
}
