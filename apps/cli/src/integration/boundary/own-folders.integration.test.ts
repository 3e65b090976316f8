import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Effect, type Executor, parseSettings, ProviderId, type Verdict } from '@signalbox/core';
import { aShellRequest } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { createExecutor } from '@signalbox/sandbox';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { judgeLine } from '../../commands/rules/judge-line.ts';

/** Lines really run, only in the sandbox: their changes in the workspace must match their verdict. */
let fixture: Readonly<{
  folder: string;
  workspace: string;
  executor: Executor;
  ownFolders: readonly string[];
}>;

beforeAll(async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-own-')));
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  const executor = createExecutor({
    workspace,
    stateFolder: join(folder, 'state'),
    path: '/usr/local/bin:/usr/bin:/bin',
    home: homedir(),
    confinement: 'required',
    clock: createSystemClock(),
  });
  const { ownFolders = [] } = await executor.isolation();
  fixture = { folder, workspace, executor, ownFolders };
});

afterAll(() => rmSync(fixture.folder, { recursive: true, force: true }));

const parsed = parseSettings({});
if (parsed.kind === 'invalid') throw new Error('the defaults are no settings');
const JUDGED = {
  cwd: '.',
  settings: parsed.settings,
  mode: 'NORMAL',
  provider: ProviderId.parse('openai'),
  trust: 'provisional',
  sandboxed: true,
} as const;

/** A folder, a file in it, and a link to the folder. */
function lay({ workspace }: typeof fixture): void {
  for (const name of readdirSync(workspace)) rmSync(join(workspace, name), { recursive: true });
  mkdirSync(join(workspace, 'src'));
  writeFileSync(join(workspace, 'src/f'), 'f');
  writeFileSync(join(workspace, 'f'), 'f');
  symlinkSync('src', join(workspace, 'link'));
}

function render(folder: string, below = ''): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(join(folder, below))) {
    const path = below === '' ? name : `${below}/${name}`;
    const stats = lstatSync(join(folder, path));
    if (stats.isSymbolicLink()) found.set(path, `-> ${readlinkSync(join(folder, path))}`);
    else if (stats.isFile()) found.set(path, readFileSync(join(folder, path), 'utf8'));
    else {
      found.set(path, 'folder');
      for (const [inner, content] of render(folder, path)) found.set(inner, content);
    }
  }
  return found;
}

/** What a line changed in the workspace; null for one that is refused, and so never runs. */
async function run(line: string): Promise<Readonly<{ verdict: Verdict; changed: readonly string[] }> | null> {
  const { workspace, executor } = fixture;
  const { ruling, verdict } = judgeLine({ ...JUDGED, line, workspace });
  if (ruling.kind === 'deny') return null;
  lay(fixture);
  const before = render(workspace);
  const hooks = { signal: new AbortController().signal, onOutput: () => undefined };
  await executor.execute(aShellRequest(line, { workspace: 'write' }), hooks);
  const after = render(workspace);
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  return { verdict, changed };
}

function covers(effect: Effect, path: string): boolean {
  if (effect.kind === 'write-unknown') return true;
  if (effect.kind !== 'write' && effect.kind !== 'delete') return false;
  // A claim covers a name and everything below it; links in the workspace can't be resolved beforehand.
  const folder = effect.path.replace(/(?:^|\/)[^/]*[*?[].*$/, '').replace(/^link(?=\/|$)/, 'src');
  return (
    folder === '' ||
    folder === '.' ||
    path === effect.path ||
    path === folder ||
    path.startsWith(`${folder}/`)
  );
}

const own = fc.constantFrom('/tmp/a', '/tmp/b', '/tmp/d/c', '/tmp', '/var/tmp/a', '/tmp/d');
const below = fc.constantFrom('', '', '/f', '/src/f', '/link/f', '/c/f', '/../a', '/*');
const source = fc.constantFrom('src', 'f', 'link', '"$PWD"/src', '"$PWD"/link', '"$PWD"/f', '"$V"', '.');
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(own, below).map(([path, rest]) => `echo x > ${path}${rest}`) },
  fc.tuple(own, below).map(([path, rest]) => `echo x | tee ${path}${rest}`),
  { weight: 3, arbitrary: fc.tuple(source, own).map(([from, to]) => `ln -s ${from} ${to}`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('-a', '-P', '-s', '-r', ''), source, own)
      .map((of) => `cp ${of.join(' ')}`),
  },
  fc.tuple(fc.constantFrom('link', 'f', '/tmp/a', '/tmp/b'), own).map(([from, to]) => `mv ${from} ${to}`),
  own.map((path) => `mkdir -p ${path}`),
  fc.tuple(own, below).map(([path, rest]) => `rm -rf ${path}${rest}`),
  fc
    .tuple(fc.constantFrom('', '-P '), fc.oneof(own, fc.constantFrom('..', '/tmp/a/..', '-', '/tmp/d/src')))
    .map(([option, path]) => `cd ${option}${path}`),
  fc.constantFrom('echo x > f', 'echo x > src/f', 'rm -rf src', 'touch ../f', 'rm -f ./*/f'),
);
const line = fc
  .array(piece, { minLength: 2, maxLength: 6 })
  .map((pieces) => `V=$PWD/src; ${pieces.join('; ')}`);

/** How many new lines to try; by default the same few, and those found by longer runs. */
const HUNT = process.env['OWN_FOLDER_RUNS'];
const FOUND = [
  'cd /tmp/a; echo x > f',
  'cd /tmp/a/..; echo x > f',
  'cd -; cp -s "$PWD"/f /tmp/b; echo x > /tmp/b',
  'V=$PWD/src; ln -s "$V" /tmp/d; cd /tmp/d/src; echo x > f',
  'V=$PWD/src; ln -s "$V" /tmp/a; echo x > /tmp/a/../a',
  'cd /tmp/a; ln -s "$PWD"/src /tmp/d; ln -s src /tmp/d/c',
  'ln -s "$PWD"/src /tmp/a; echo x > /tmp/*/f',
  '! cd /tmp/a && echo x > f',
];

test(
  'no line that uses its own /tmp changes more than its verdict says (property)',
  { timeout: 120_000 },
  async () => {
    expect(fixture.ownFolders).toContain('/tmp');
    await fc.assert(
      fc.asyncProperty(line, async (text) => {
        const ran = await run(text);
        fc.pre(ran !== null);
        const { verdict, changed } = ran ?? { verdict: { effects: [], level: 'safe' }, changed: [] };
        const untold = changed.filter((path) => !verdict.effects.some((effect) => covers(effect, path)));
        expect({ text, untold, isSafe: verdict.level === 'safe' && changed.length > 0 }).toEqual({
          text,
          untold: [],
          isSafe: false,
        });
      }),
      HUNT === undefined
        ? { seed: 11, numRuns: 20, examples: FOUND.map((text) => [text]) }
        : { numRuns: Number(HUNT) },
    );
  },
);

test('lines judged safe there really work, in one line', async () => {
  const { workspace, executor } = fixture;
  lay(fixture);
  const text =
    'd=$(mktemp -d) && cp -r src /tmp/before && ls > /tmp/log 2>&1 && tail -1 /tmp/log && diff -r src /tmp/before && rm -rf /tmp/before && ls /tmp';
  const hooks = { signal: new AbortController().signal, onOutput: () => undefined };
  const { ended, stdout } = await executor.execute(aShellRequest(text), hooks);
  expect({ ended, said: stdout.text }).toEqual({
    ended: { kind: 'exited', exitCode: 0 },
    said: expect.stringMatching(/^src\n[^]*log\n/),
  });
  expect([...render(workspace).keys()].toSorted()).toEqual(['f', 'link', 'src', 'src/f']);
});
