import { canonicalJson } from '../../json.ts';
import { canonicalToolName, GOES_BY, matchesTool } from '../tools/canonical-tool-name.ts';
import type { Note } from './clamp-settings.ts';
import { checkLayer, parseSettings, withoutEmptyKeys } from '../parse-settings.ts';
import type { SettingsProblem } from '../problem.ts';
import { type IsTrusted, rulesOfLayers } from './rules-of-layers.ts';
import { defaultSettings, type Settings } from '../settings.ts';
import { formatPath, getIn, isRecord, setIn, type SettingsPath } from '../keys/settings-path.ts';
import type { SettingsLayer } from './settings-layer.ts';
import { type IsServerTrusted, serversOfLayers } from './servers-of-layers.ts';
import { guardProviders } from '../providers/shared-providers.ts';
import { TIGHTENING } from './tightening.ts';
import { DEFAULT_TOOL_POLICY } from '../tools/tool-policy.ts';
import { TOOL_SECTIONS } from '../tools/tools-settings.ts';

export type MergedSettings =
  | {
      readonly kind: 'ok';
      readonly settings: Settings;
      readonly notes: readonly (Note & { source?: string })[];
    }
  | { readonly kind: 'invalid'; readonly problems: readonly (SettingsProblem & { source?: string })[] };

/**
 * Merges settings files: `local` over `workspace` over `user`. For safety keys the strictest wins instead: a shared
 * file may only tighten, and notes report what of it has no effect.
 *
 * No file disables the sandbox. Only `withoutSandbox` does: a flag that the operator gives on the command line.
 */
export function mergeLayers(
  layers: readonly SettingsLayer[],
  options: {
    readonly withoutSandbox?: boolean;
    readonly isTrusted?: IsTrusted;
    readonly isAgreed?: IsServerTrusted;
    /**
     * Values of this machine and of each tool where no file sets one, by key: `tools.bash.timeout`. A shared file has
     * an effect below them; without a known bound, none.
     */
    readonly bounds?: ReadonlyMap<string, number>;
  } = {},
): MergedSettings {
  const problems = layers.flatMap(({ source, value }) =>
    checkLayer(value).map((problem) => ({ ...problem, source })),
  );
  if (problems.length > 0) return { kind: 'invalid', problems };

  const valueOf = (kind: SettingsLayer['kind']): unknown =>
    layers
      .filter((layer) => layer.kind === kind)
      .reduce<unknown>((under, layer) => lay(under, tidy(layer.value)), {});
  const bounds = options.bounds ?? new Map<string, number>();
  const { value: shared, notes: sharedNotes } = sharedOf(layers, bounds);
  const local = valueOf('local');
  const user = withToolsGoneBy(valueOf('user'), { local, shared });
  const own = lay(user, local);
  const laid = lay(lay(user, shared), local);

  const sharedSource = layers.findLast(({ kind }) => kind === 'workspace')?.source;
  const tightened = tighten(laid, { own, shared, bounds });
  const guarded = guardProviders(tightened.value, {
    own,
    shared,
    sourceOf: (path) =>
      layers.findLast(({ kind, value }) => kind === 'workspace' && getIn(value, path) !== undefined)
        ?.source ?? '',
  });
  const isOff = getIn(guarded.value, ['sandbox', 'enabled']) === false;
  const whole = setIn(guarded.value, ['mcp_servers'], { next: undefined });
  const parsed = parseSettings(
    setIn(whole, ['sandbox', 'enabled'], { next: options.withoutSandbox !== true }),
  );
  if (parsed.kind === 'invalid') return parsed;
  const rules = rulesOfLayers(layers, options.isTrusted ?? (() => false));
  const servers = serversOfLayers(layers, options.isAgreed ?? (() => false));
  return {
    kind: 'ok',
    settings: {
      ...parsed.settings,
      providers: markUnconfirmed(parsed.settings.providers, guarded.unconfirmed),
      rules: rules.rules,
      mcp_servers: servers.servers,
    },
    notes: [
      ...rules.notes,
      ...servers.notes,
      ...sharedNotes,
      ...tightened.notes.map((note) =>
        sharedSource === undefined ? note : { ...note, source: sharedSource },
      ),
      ...guarded.notes,
      ...(isOff && options.withoutSandbox !== true ? [SANDBOX_STAYS_ON] : []),
      ...parsed.notes,
    ],
  };
}

function markUnconfirmed(
  providers: Settings['providers'],
  unconfirmed: ReadonlyMap<string, string>,
): Settings['providers'] {
  return Object.fromEntries(
    Object.entries(providers).map(([id, provider]) => [
      id,
      { ...provider, unconfirmed_in: unconfirmed.get(id) ?? null },
    ]),
  );
}

const SANDBOX_STAYS_ON: Note = {
  path: ['sandbox', 'enabled'],
  message: 'no settings file can turn off the sandbox; only a flag on the command line can',
};

type SourceNote = Note & { readonly source?: string };
type Bounds = ReadonlyMap<string, number>;

/** Each of several shared files may only tighten the one before. */
function sharedOf(
  layers: readonly SettingsLayer[],
  bounds: Bounds,
): { readonly value: unknown; readonly notes: readonly SourceNote[] } {
  const [first, ...more] = layers.filter(({ kind }) => kind === 'workspace');
  const notes: SourceNote[] = [];
  const value = more.reduce<unknown>(
    (under, { value: written, source }) => {
      const over = tidy(written);
      const tightened = tightenKeys(lay(under, over), {
        own: under,
        shared: over,
        bounds,
        isOwnShared: true,
      });
      notes.push(...tightened.notes.map((note) => ({ ...note, source })));
      return tightened.value;
    },
    first === undefined ? {} : tidy(first.value),
  );
  return { value, notes };
}

type Tightening = Readonly<{ own: unknown; shared: unknown; bounds: Bounds }>;

function tighten(laid: unknown, files: Tightening): { value: unknown; notes: readonly Note[] } {
  const { value, notes } = tightenKeys(laid, { ...files, isOwnShared: false });
  return { value: keepAsking(keepModes(value, files.own), files.shared), notes };
}

/**
 * @param files `isOwnShared`: both are shared files, so a default that `own` does not name does not bound `shared`.
 */
function tightenKeys(
  laid: unknown,
  { own, shared, bounds, isOwnShared }: Tightening & Readonly<{ isOwnShared: boolean }>,
): { value: unknown; notes: readonly Note[] } {
  const notes: Note[] = [];
  let value = laid;
  for (const { path: pattern, strictest, from } of TIGHTENING) {
    for (const path of matchingPaths(pattern, shared)) {
      const theirs = getIn(shared, path);
      const mine = getIn(own, path) ?? otherwise(from, path, bounds);
      const combined = strictest(mine, theirs);
      // Values of the machine or the defaults are in no file.
      const isUnset =
        combined.ignored && (from === 'bound' || (isOwnShared && getIn(own, path) === undefined));
      value = setIn(value, path, { next: isUnset ? getIn(own, path) : combined.value });
      if (combined.ignored && canonicalJson(combined.value) !== canonicalJson(theirs))
        notes.push(onLooser(path, theirs));
    }
  }
  return { value, notes };
}

function otherwise(from: (typeof TIGHTENING)[number]['from'], path: SettingsPath, bounds: Bounds): unknown {
  if (from === 'own') return undefined;
  return from === 'default' ? defaultAt(path) : (bounds.get(path.join('.')) ?? 0);
}

function defaultAt(path: SettingsPath): unknown {
  const [section, tool, key = ''] = path;
  const isOfTool = section === 'tools' && !TOOL_SECTIONS.includes(String(tool));
  return isOfTool ? getIn(DEFAULT_TOOL_POLICY, [key]) : getIn(defaultSettings(), path);
}

/** A shared file that names a tool which inherits from another must not free it from what you set for that one. */
function withToolsGoneBy(
  user: unknown,
  over: { readonly local: unknown; readonly shared: unknown },
): unknown {
  const own = lay(user, over.local);
  return Object.entries(GOES_BY).reduce((value, [name, other]) => {
    const inherited = getIn(own, ['tools', other]);
    const isFreed =
      inherited !== undefined &&
      getIn(over.shared, ['tools', name]) !== undefined &&
      getIn(own, ['tools', name]) === undefined;
    return isFreed ? setIn(value, ['tools', name], { next: inherited }) : value;
  }, user);
}

/** When a shared file requires approval for a tool, your list that runs it has no effect (E5). */
function keepAsking(value: unknown, shared: unknown): unknown {
  const asked = getIn(shared, [...LISTS, 'require_approval_tools']);
  const auto = getIn(value, [...LISTS, 'auto_approve_tools']);
  if (!Array.isArray(asked)) return value;
  const patterns = asked.map((name) => canonicalToolName(String(name)));
  const runs = Array.isArray(auto) ? auto : defaultSettings().agents.tool_execution.auto_approve_tools;
  return setIn(value, [...LISTS, 'auto_approve_tools'], {
    next: runs
      .map((name) => canonicalToolName(String(name)))
      .filter(
        (name) => !patterns.some((pattern) => matchesTool(pattern, name) || matchesTool(name, pattern)),
      ),
  });
}

const LISTS = ['agents', 'tool_execution'] as const;

/**
 * By X-33 a mode that requires approval for a tool is one in which it may run: a shared file must not open a mode that
 * you closed.
 */
function keepModes(value: unknown, own: unknown): unknown {
  let kept = value;
  for (const path of matchingPaths(['tools', '*', 'allowed_in_modes'], own)) {
    const asks = [...path.slice(0, -1), 'requires_approval_in_modes'];
    const open = new Set(
      [getIn(own, path), getIn(own, asks)].flatMap((modes) => (Array.isArray(modes) ? modes : [])),
    );
    const now = getIn(kept, asks);
    if (Array.isArray(now)) kept = setIn(kept, asks, { next: now.filter((mode) => open.has(mode)) });
  }
  return kept;
}

function onLooser(path: SettingsPath, value: unknown): Note {
  return {
    path,
    message: `${formatPath(path)}: ${JSON.stringify(value)} has only partial effect: a shared file can only tighten settings; put it into your own file`,
  };
}

/** The paths that match a pattern with `*` in the value. */
function matchingPaths(pattern: SettingsPath, value: unknown): readonly SettingsPath[] {
  const star = pattern.indexOf('*');
  if (star < 0) return getIn(value, pattern) === undefined ? [] : [pattern];
  const parent = getIn(value, pattern.slice(0, star));
  if (!isRecord(parent)) return [];
  return Object.keys(parent)
    .filter((key) => pattern[0] !== 'tools' || !TOOL_SECTIONS.includes(key))
    .flatMap((key) => matchingPaths([...pattern.slice(0, star), key, ...pattern.slice(star + 1)], value));
}

/** Sections are merged key by key; everything else, including lists, is replaced. */
function lay(under: unknown, over: unknown): unknown {
  if (!isRecord(under) || !isRecord(over)) return over;
  const joined: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over))
    joined[key] = Object.hasOwn(under, key) ? lay(under[key], value) : value;
  return joined;
}

/** Gives a tool the same key in every file. */
function tidy(value: unknown): unknown {
  const kept = withoutEmptyKeys(value);
  const tools = getIn(kept, ['tools']);
  if (!isRecord(tools)) return kept;
  const named = Object.entries(tools).map(([key, section]) => [
    TOOL_SECTIONS.includes(key) ? key : canonicalToolName(key),
    section,
  ]);
  return setIn(kept, ['tools'], { next: Object.fromEntries(named) });
}
