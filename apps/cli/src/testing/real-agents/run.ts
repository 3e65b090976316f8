import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createTestWorkspace } from '../open-test-house.ts';
import { runProgram } from '../run-program.ts';
import { REAL_AGENTS, type RealAgent } from './agents.ts';
import { startScriptedModel } from './scripted-model.ts';

/**
 * `npm run real-agents -- [--fetch] [AGENT …]`: the agents' own programs, set up by `signalbox connect --write` in a home
 * of their own, against a scripted model on loopback. Checks that a shell call went through Signalbox, and that a tool of
 * the agent's own was refused. Runs what is found in PATH; `--fetch` installs the rest into a folder for temporary files.
 * Not part of the tests: together they are over a gigabyte.
 */
const MAIN = join(import.meta.dirname, '../../main.ts');
/** On a busy machine the slowest of them took two and a half minutes. */
const TIMEOUT_MS = 600_000;
const args = process.argv.slice(2);
const wanted = args.filter((arg) => !arg.startsWith('--'));
const folder = mkdtempSync(join(tmpdir(), 'signalbox-agents-'));
let failures = 0;

for (const agent of REAL_AGENTS) {
  if (wanted.length > 0 && !wanted.includes(agent.id)) continue;
  const program = await programOf(agent);
  if (program === null) say(`skipped  ${agent.id}: no "${agent.program}" in PATH; --fetch fetches it`);
  else await tryAgent(agent, program);
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = failures === 0 ? 0 : 1;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function programOf({ program, packageName }: RealAgent): Promise<string | null> {
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((place) => join(place, program))
    .find(existsSync);
  if (found !== undefined || !args.includes('--fetch')) return found ?? null;
  const install = ['npm', 'install', '--no-audit', '--no-fund', '--prefix', folder, packageName] as const;
  await runProgram(install, { cwd: folder, timeoutMs: 600_000 });
  const fetched = join(folder, 'node_modules/.bin', program);
  return existsSync(fetched) ? fetched : null;
}

async function tryAgent(agent: RealAgent, program: string): Promise<void> {
  const workspace = createTestWorkspace({}, folder);
  const home = mkdtempSync(join(folder, 'home-'));
  const prompt = 'run the scripted calls';
  const model = await startScriptedModel(agent, prompt, {
    own: 'echo own > own.txt',
    ours: 'echo through signalbox > ours.txt',
  });
  agent.home?.(home, model.url, workspace);
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local/share'),
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    ...agent.env(model.url),
  };
  const starter = `${process.execPath} ${MAIN}`;
  const connect = [
    process.execPath,
    MAIN,
    '-C',
    workspace,
    'connect',
    agent.id,
    '--write',
    '--command',
    starter,
  ] as const;
  const connected = await runProgram(connect, { cwd: workspace, env, timeoutMs: TIMEOUT_MS });
  const version = await runProgram([program, '--version'], { cwd: workspace, env, timeoutMs: TIMEOUT_MS });
  const ran = await runProgram([program, ...agent.argv(prompt, model.url)], {
    cwd: workspace,
    env,
    timeoutMs: TIMEOUT_MS,
  });
  const asked = model.requests();
  const ownTools = model.offered().filter((name) => !name.includes('signalbox'));
  await model.close();

  const audit = join(workspace, '.signalbox/audit.jsonl');
  const lines = existsSync(audit) ? readFileSync(audit, 'utf8') : '';
  const checks = {
    'connect wrote its settings': connected.exitCode === 0,
    'it ended by itself': ran.exitCode !== null,
    'the model was asked': asked >= 3,
    'a shell call went through Signalbox':
      lines.includes('through signalbox') && existsSync(join(workspace, 'ours.txt')),
    'the audit names the agent': lines.includes(`"provider":"${agent.id}"`),
    'its own shell did nothing': !existsSync(join(workspace, 'own.txt')),
  };
  const failed = Object.entries(checks)
    .filter(([, ok]) => !ok)
    .map(([check]) => check);
  failures += failed.length;
  const name = `${agent.id} ${version.output.trim().split('\n').at(-1) ?? ''}`;
  say(
    failed.length === 0
      ? `passed   ${name}: ${Object.keys(checks).join('; ')}`
      : `FAILED   ${name}: ${failed.join('; ')}`,
  );
  say(`         of its own it offers its model: ${ownTools.length === 0 ? 'nothing' : ownTools.join(', ')}`);
  if (failed.length > 0) say(`${connected.output}\n${ran.output.slice(-3000)}`);
}
