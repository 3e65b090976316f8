import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { killCoordinators } from '@signalbox/core/testing';
import { createTestWorkspace } from '../open-test-runtime.ts';
import { writeOwnSettings } from '../own-settings.ts';
import { runProgram } from '../run-program.ts';
import { REAL_AGENTS, type RealAgent } from './agents.ts';
import { answerQuestions } from './answer-questions.ts';
import { unreadOf, writePlay } from './scenarios.ts';
import { startScriptedModel } from './scripted-model.ts';

/**
 * `npm run real-agents -- [--fetch] [AGENT …]`: the agents' own programs, set up by `signalbox connect --write` in a
 * home of their own, against a scripted model on loopback. Checks that a tool of the agent's own was refused, and that
 * the agent's next request tells its model what each of our tools answered: a file, a failure, a denial, a stale write,
 * long output, a call that waits. Runs what is found in PATH; `--fetch` installs the rest into the cache of this
 * account. Not part of the tests: together they are over a gigabyte.
 */
const MAIN = join(import.meta.dirname, '../../main.ts');
/** On a busy machine the slowest of them took two and a half minutes. */
const TIMEOUT_MS = 600_000;
const args = process.argv.slice(2);
const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'signalbox', 'agents');
/** Approvals wait for a person, but not for long. */
const SETTINGS = {
  approval: { prompt_on_warning: true },
  agents: { tool_execution: { auto_approve_tools: ['read_file', 'edit_file'] } },
  mcp: { max_wait: '20s' },
};
/** The end of the most important part of the server's instructions: Codex cuts them after 250 characters. */
const LAST_WORDS = 'do not repeat the call.';
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
    .map((backend) => join(backend, program))
    .find(existsSync);
  if (found !== undefined || !args.includes('--fetch')) return found ?? null;
  const own = join(cache, program);
  const fetched = join(own, 'node_modules/.bin', program);
  if (existsSync(fetched)) return fetched;
  mkdirSync(own, { recursive: true });
  const install = ['npm', 'install', '--no-audit', '--no-fund', '--prefix', own, packageName] as const;
  await runProgram(install, { cwd: own, timeoutMs: 600_000 });
  return existsSync(fetched) ? fetched : null;
}

async function tryAgent(agent: RealAgent, program: string): Promise<void> {
  const play = writePlay(() => workspace);
  const workspace = createTestWorkspace(play.files, folder);
  const home = mkdtempSync(join(folder, 'home-'));
  await writeOwnSettings(workspace, { text: JSON.stringify(SETTINGS), configHome: join(home, '.config') });
  const prompt = 'run the scripted calls';
  const model = await startScriptedModel(agent, prompt, {
    ownLine: 'echo own > own.txt',
    scenarios: play.scenarios,
  });
  agent.home?.(home, { modelUrl: model.url, workspace });
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
  const over = new AbortController();
  const answering = answerQuestions(workspace, play.answer, over.signal);
  const ran = await runProgram([program, ...agent.argv(prompt, model.url)], {
    cwd: workspace,
    env,
    timeoutMs: TIMEOUT_MS,
  });
  over.abort();
  await answering;
  // The first call is of a tool of its own.
  const read = play.scenarios.map((scenario, at) => {
    const request = model.requestAfter(at + 1);
    const missing = request === null ? ['no such request'] : unreadOf(scenario, request);
    return { name: `the model reads ${scenario.name}`, request, missing };
  });
  const readsInstructions = model.wasReported(LAST_WORDS);
  const ownTools = model.offered().filter((name) => !name.includes('signalbox'));
  await model.close();
  killCoordinators(workspace);

  const audit = join(workspace, '.signalbox/audit.jsonl');
  const lines = existsSync(audit) ? readFileSync(audit, 'utf8') : '';
  const checks = {
    'connect wrote its settings': connected.exitCode === 0,
    'it ended by itself': ran.exitCode !== null,
    'a shell call went through Signalbox': existsSync(join(workspace, 'ours.txt')),
    'the audit names the agent': lines.includes(`"provider":"${agent.id}"`),
    'its own shell did nothing': !existsSync(join(workspace, 'own.txt')),
    'the model reads our instructions': readsInstructions,
    ...Object.fromEntries(read.map(({ name, missing }) => [name, missing.length === 0])),
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
  if (failed.length === 0) return;
  say(`${connected.output}\n${ran.output.slice(-3000)}`);
  for (const { name: check, request, missing } of read.filter((one) => one.missing.length > 0))
    say(`${check}: not ${missing.join(', ')}\n  ${request?.slice(-3000) ?? ''}`);
}
