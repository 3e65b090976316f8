import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';

/** No file that people write as settings is larger. */
const MAX_BYTES = 1024 ** 2;

/** The text of a file at the top of a workspace; null when there is none, or none that can be read. */
export function projectText(workspace: string, name: string): string | null {
  const file = join(workspace, name);
  try {
    const stat = statSync(file);
    return stat.isFile() && stat.size <= MAX_BYTES ? readFileSync(file, 'utf8') : null;
  } catch {
    return null;
  }
}

/** The paths of a TOML file's tables with up to two names, such as `tool.ruff`; empty for a file with an error. */
export function tomlKeys(text: string): ReadonlySet<string> {
  try {
    return new Set(
      Object.entries(parse(text)).flatMap(([outer, value]) => [
        outer,
        ...(typeof value === 'object' && !Array.isArray(value)
          ? Object.keys(value).map((inner) => `${outer}.${inner}`)
          : []),
      ]),
    );
  } catch {
    return new Set();
  }
}

/** A script of the workspace's package.json. */
export function scriptOf(workspace: string, name: string): string | null {
  try {
    const text = projectText(workspace, 'package.json');
    if (text === null) return null;
    const { scripts } = JSON.parse(text) as { scripts?: Record<string, unknown> };
    const script = scripts?.[name];
    return typeof script === 'string' ? script : null;
  } catch {
    return null;
  }
}
