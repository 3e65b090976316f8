import { flatMapInTurns } from '../turns.ts';

/** Serialises an object with long lists and maps, one member per line, yielding to the event loop. */
export async function toJsonInTurns(document: Readonly<Record<string, unknown>>): Promise<string> {
  const members: string[] = [];
  for (const [name, value] of Object.entries(document)) {
    if (value !== undefined) members.push(`${JSON.stringify(name)}:${await toText(value)}`);
  }
  return `{${members.join(',\n')}}`;
}

async function toText(value: unknown): Promise<string> {
  if (Array.isArray(value)) {
    const items = await flatMapInTurns(value as readonly unknown[], (item) => [JSON.stringify(item)]);
    return `[\n${items.join(',\n')}\n]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = await flatMapInTurns(Object.entries(value), ([name, member]) => [
    `${JSON.stringify(name)}:${JSON.stringify(member)}`,
  ]);
  return `{\n${members.join(',\n')}\n}`;
}
