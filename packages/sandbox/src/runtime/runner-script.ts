/**
 * A sandbox init in Node.js, for `@anthropic-ai/sandbox-runtime`. That has one confinement per process, so each
 * command has its own process, which gets the module and its configuration. It uses the protocol of the bash
 * init, and ends with its whole group when its orders end.
 *
 * A signal N is reported as exit code 128+N, since there is a shell in between.
 */
const SCRIPT = String.raw`
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';

const [url, configuration] = process.argv.slice(1);
const say = (line) => writeSync(3, line + '\n');
const orders = new Socket({ fd: 4 });
const die = () => process.kill(-process.pid, 'SIGKILL');
const quoted = (word) => "'" + word.replaceAll("'", "'\\''") + "'";
const LIMITED = 'while [ "$1" != -- ]; do ulimit "$1" "$2" 2>/dev/null ||' +
  ' [ "$(ulimit -H "$1")" -lt "$2" ] || exit 125; shift 2; done; shift; exec "$@"';

const { SandboxManager } = await import(url);
await SandboxManager.initialize(JSON.parse(configuration));
say('ready');

let text = '';
let hasBegun = false;
orders.setEncoding('utf8').on('error', die).on('end', die).on('data', (more) => {
  text += more;
  if (hasBegun) return die();
  const order = orderIn(text);
  if (order === null) return;
  hasBegun = true;
  begin(order).catch((error) => {
    say(String(error));
    process.exit(125);
  });
});

function orderIn(text) {
  const end = text.indexOf('\n');
  const fields = text.slice(end + 1).split('\0');
  return end < 0 || fields.length <= Number(text.slice(0, end)) ? null : fields.slice(0, -1);
}

async function begin([cwd, input, ...rest]) {
  const limits = rest.splice(0, rest.indexOf('--'));
  const names = rest.slice(1).splice(0, rest.indexOf('--', 1) - 1);
  const argv = rest.slice(names.length + 2);
  const limited = ['/bin/bash', '--noprofile', '--norc', '-c', LIMITED, 'signalbox', ...limits, '--', ...argv];
  const line = await SandboxManager.wrapWithSandbox(limited.map(quoted).join(' '), '/bin/bash');
  const env = Object.fromEntries(names.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
  const child = spawn('/bin/bash', ['--noprofile', '--norc', '-c', line], {
    cwd, env, stdio: [input === 'input' ? 0 : 'ignore', 1, 2],
  });
  child.once('error', (error) => { say(String(error)); process.exit(125); });
  child.once('spawn', () => say('begun'));
  child.once('exit', (code, signal) => {
    SandboxManager.cleanupAfterCommand();
    say('status ' + (signal === null ? code : 137));
  });
}
`;

/**
 * The arguments of a runner.
 *
 * @param module Absolute path of the runtime's module.
 */
export function runnerArgv(module: string, configuration: unknown): readonly [string, ...string[]] {
  return [process.execPath, '--input-type=module', '-e', SCRIPT, module, JSON.stringify(configuration)];
}
