import { type Document, isMap, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { errorText, type SettingsPath } from '@signalbox/core';
import type { ReportPicture } from '../contract/error-report.ts';
import { SettingsFileError } from './settings-file-error.ts';

/** One source of settings. */
export type SettingsSource = Readonly<{
  /** Display name: `signalbox.yaml`, `.signalbox/local.yaml`, `SIGNALBOX_MODE`. */
  name: string;
  /** Author: you for all workspaces, everyone who works here, or you for this workspace (the environment too). */
  kind: 'user' | 'workspace' | 'local';
  value: unknown;
  /** Line of a key, counted from 1; null if the source has no lines. */
  lineOf(path: SettingsPath): number | null;
  /** Shows a key (`key`) or its value in the source; undefined if there is none to show. */
  pictureOf(path: SettingsPath, part: 'key' | 'value'): ReportPicture | undefined;
}>;

/** @throws {SettingsFileError} when the text is not YAML */
export function readYaml(
  name: string,
  kind: SettingsSource['kind'],
  { text }: Readonly<{ text: string }>,
): SettingsSource {
  const counter = new LineCounter();
  // The library's own check for duplicate keys compares each with all others.
  const document = parseDocument(text, { lineCounter: counter, merge: false, uniqueKeys: false });
  let rows: readonly string[] | null = null;
  const picture = (start: number, end: number): ReportPicture => {
    const { line, col } = counter.linePos(start);
    rows ??= text.split('\n').map((row) => row.replace(/\r$/, ''));
    const rowEnd = start - col + 1 + (rows[line - 1]?.length ?? 0);
    const length = Math.max(1, Math.min(end, rowEnd) - start);
    return { file: name, line, column: col, source: rows.slice(Math.max(0, line - 2), line), length };
  };
  const broken = document.errors[0] ?? keyThatStandsTwice(document);
  if (broken !== undefined) {
    throw new SettingsFileError(`Cannot read ${name}: it is not YAML`, {
      why: [broken.message.split('\n')[0]?.replace(/ at line \d+.*/, '') ?? ''],
      picture: picture(...broken.pos),
    });
  }
  const rangeOf = (path: SettingsPath, part: 'key' | 'value'): readonly [number, number] | undefined =>
    rangeIn(document, path, { part });
  return {
    name,
    kind,
    value: valueOf(name, document),
    lineOf(path) {
      const range = rangeOf(path, 'key');
      return range === undefined ? null : counter.linePos(range[0]).line;
    },
    pictureOf(path, part) {
      const range = rangeOf(path, part) ?? rangeOf(path, 'key');
      return range === undefined ? undefined : picture(...range);
    },
  };
}

function keyThatStandsTwice(
  document: Document,
): { readonly message: string; readonly pos: readonly [number, number] } | undefined {
  let found: readonly [number, number] | undefined;
  visit(document, {
    Map(_, { items }) {
      const known = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (known.has(key.value)) found = [key.range?.[0] ?? 0, key.range?.[1] ?? 0];
        if (found !== undefined) return visit.BREAK;
        known.add(key.value);
      }
      return undefined;
    },
  });
  return found === undefined ? undefined : { message: 'Map keys must be unique', pos: found };
}

function valueOf(name: string, document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    const why = errorText(error);
    throw new SettingsFileError(`Cannot read ${name}: its aliases can't be resolved`, { why: [why] });
  }
}

function rangeIn(
  document: Document,
  path: SettingsPath,
  { part }: Readonly<{ part: 'key' | 'value' }>,
): readonly [number, number] | undefined {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const last = path.at(-1);
  if (isMap(parent)) {
    const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(last));
    const node: unknown = part === 'key' ? pair?.key : pair?.value;
    return hasRange(node) ? [node.range[0], node.range[1]] : undefined;
  }
  const node: unknown = path.length === 0 ? undefined : document.getIn(path, true);
  return hasRange(node) ? [node.range[0], node.range[1]] : undefined;
}

function hasRange(node: unknown): node is { range: readonly [number, number, number] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}
