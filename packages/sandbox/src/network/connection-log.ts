import type { NetworkUse } from '@signalbox/core';

export type NetworkConnection = Pick<NetworkUse, 'target' | 'outcome' | 'why'>;
export type Traffic = Pick<NetworkUse, 'sentBytes' | 'receivedBytes'>;

/** The network use of one command in bounded space: one row per target and outcome. */
export type ConnectionLog = {
  /** @returns a function to call with the traffic when the connection ends */
  readonly add: (connection: NetworkConnection) => (traffic: Traffic) => void;
  readonly rows: () => readonly NetworkUse[];
};

const MAX_ROWS = 100;
/** A target is text from the command. */
const MAX_TARGET_LENGTH = 300;

/** Calls `onRow` with each new row. Connections after {@link MAX_ROWS} are counted in one last row. */
export function createConnectionLog(onRow: (row: NetworkUse) => void): ConnectionLog {
  const rows = new Map<string, NetworkUse>();

  function add(key: string, row: NetworkUse): void {
    const before = rows.get(key);
    if (before === undefined) {
      rows.set(key, row);
      return onRow(row);
    }
    rows.set(key, {
      ...before,
      connections: before.connections + row.connections,
      sentBytes: before.sentBytes + row.sentBytes,
      receivedBytes: before.receivedBytes + row.receivedBytes,
    });
  }

  function rowOf({ target, outcome, why }: NetworkConnection): NetworkConnection {
    const row = { target: target.slice(0, MAX_TARGET_LENGTH), outcome, why };
    if (rows.size < MAX_ROWS || rows.has(keyOf(row))) return row;
    return { target: 'others', outcome, why: null };
  }

  return {
    add(connection) {
      const row = rowOf(connection);
      const key = keyOf(row);
      add(key, { ...row, connections: 1, sentBytes: 0, receivedBytes: 0 });
      return (traffic) => add(key, { ...row, connections: 0, ...traffic });
    },
    rows: () => [...rows.values()],
  };
}

function keyOf({ target, outcome, why }: NetworkConnection): string {
  return outcome === 'reached' && why !== null ? `remark ${target}` : `${outcome} ${target}`;
}
