import type { Flag, SubcommandRow } from './subcommand-row.ts';

const listenFlags: readonly Flag[] = [
  { name: 'port', value: 'PORT', text: 'Where to listen (default: an open port, else 4180; 0: any)' },
  { name: 'host', value: 'HOST', text: 'Address to listen on (default: 127.0.0.1, this machine only)' },
  { name: 'allow-host', value: 'NAME', many: true, text: 'Additional host name accepted in requests' },
  { name: 'tls-cert', value: 'FILE', text: 'TLS certificate (PEM)' },
  { name: 'tls-key', value: 'FILE', text: 'Private key of the certificate (PEM)' },
  {
    name: 'allow-plain-http',
    text: 'Listen beyond this machine without TLS (only behind a proxy that encrypts)',
  },
];

export const serveRows: readonly SubcommandRow[] = [
  {
    name: 'serve',
    group: 'Operate',
    summary: 'Open the port of this workspace: API, events and dashboard, until Ctrl-C',
    brief: 'Open the port: API, events, dashboard',
    flags: [
      ...listenFlags,
      {
        name: 'foreground',
        text: 'Run the coordinator in this process, for containers and systemd; implied by the flags below',
      },
      {
        name: 'unconfined',
        text: 'Run commands without a sandbox if none works here; each of them then needs approval',
      },
      {
        name: 'redis',
        value: 'URL',
        text: 'Lead the workspace together with other coordinators, on this Redis (or SIGNALBOX_REDIS_URL)',
      },
      { name: 'open', text: 'Open the dashboard in your browser' },
      {
        name: 'inspect',
        text: 'Log each step of the coordinator, its commands, sessions and other actors, in .signalbox/log.jsonl',
      },
      { name: 'no-local', text: 'On Redis: execute commands only on workers' },
      { name: 'volatile', text: 'On Redis: accept a server that loses its data when it stops' },
    ],
    about: [
      'The coordinator in the background opens the port; one is started if none is running. Ctrl-C closes the port, unless another serve or dashboard uses it; the coordinator keeps running while it is needed, and signalbox stop stops it. With --foreground this process is the coordinator: Ctrl-C and SIGTERM stop running commands; waiting ones and runs continue at the next start.',
      'Your own programs connect through the socket of the workspace, or .signalbox/server.json (readable only by you). Everyone else needs an access token.',
      'On Redis several coordinators can lead one workspace, on all machines that see the same tree: see docs/scaling.md. Pass a URL with a password in the variable, not on the command line.',
    ],
    examples: ['signalbox serve', 'signalbox serve --open', 'signalbox serve --port 0 --json'],
    exitCodes: [
      [0, 'the port is closed; with --foreground: stopped'],
      [1, 'it did not stop within 20 s and was killed'],
      [2, 'it would listen beyond this machine without TLS'],
      [6, 'the port or the workspace is in use, or the coordinator has stopped'],
    ],
    json: 'first {"event":"server.started", url}',
    seeAlso: ['dashboard', 'token', 'stop'],
  },
  {
    name: 'worker',
    group: 'Operate',
    summary: 'Execute commands for a workspace on Redis, until stopped',
    brief: 'Execute commands for a workspace on Redis',
    flags: [
      { name: 'redis', value: 'URL', text: 'Redis of its coordinators (or SIGNALBOX_REDIS_URL)' },
      { name: 'concurrency', value: 'N', text: 'How many commands at once (default: 3)' },
      { name: 'labels', value: 'A,B', text: 'Labels it offers: commands that need them run here' },
      { name: 'unconfined', text: 'Run commands without a sandbox if none works here' },
      { name: 'volatile', text: 'Accept a Redis that loses its data when it stops' },
      {
        name: 'drain',
        text: 'Start no worker: let the workers of this workspace on this machine finish and exit',
      },
    ],
    about: [
      'It must see the same tree as the coordinators, and checks that. On Ctrl-C or SIGTERM it takes no new commands, waits for the running ones, then exits; a second one stops them.',
    ],
    examples: [
      'signalbox worker --redis redis://10.0.0.5:6379',
      'signalbox worker --concurrency 8 --labels gpu,linux',
      'signalbox worker --drain',
    ],
    exitCodes: [
      [0, 'stopped'],
      [2, 'no Redis is given, or it does not know this workspace'],
      [6, 'Redis or a coordinator is unreachable, or this is another tree'],
    ],
    json: 'first {"event":"worker.started", id, concurrency, labels[], layer}, last {"event":"worker.stopped", id}; with --drain: {draining[], elsewhere[]}',
    seeAlso: ['serve', 'status'],
  },
  {
    name: 'connect',
    group: 'Start',
    summary: "Route an agent's tool calls through Signalbox, and turn off its own tools",
    brief: 'Route Claude Code, Codex … through Signalbox',
    args: [
      {
        name: 'AGENT',
        kind: 'required',
        choices: ['claude-code', 'codex', 'gemini', 'opencode', 'cursor', 'vscode'],
      },
    ],
    flags: [
      { name: 'write', text: 'Write what is shown, without confirmation; also with --undo' },
      { name: 'print', text: 'Show it only; change nothing' },
      { name: 'undo', text: 'Show what connect added, and remove only that once you agree' },
      { name: 'keep-tools', text: "Keep the agent's own tools (Signalbox can't see those calls)" },
      {
        name: 'local',
        text: 'Write your personal settings where the agent has some, and keep all files out of git',
      },
      {
        name: 'http',
        text: 'Use a running server and the token in SIGNALBOX_AGENT_TOKEN instead of starting a program',
      },
      {
        name: 'url',
        value: 'URL',
        text: "The server (default: this workspace's, else http://127.0.0.1:4180)",
      },
      {
        name: 'command',
        value: 'LINE',
        text: 'How the agent starts Signalbox (default: this program by absolute path, in this workspace)',
      },
    ],
    about: [
      'Shows what would change in the settings of the agent, and asks on a terminal; without one only --write changes anything. --undo removes it the same way. All other settings are kept. Signalbox is then started once, the way the agent will, to verify that its tools respond.',
      "If committed, these settings turn off every colleague's own tools, with or without Signalbox installed. Keep them to yourself with --local, or share them with --command signalbox, which is looked up in the PATH.",
    ],
    examples: [
      'signalbox connect claude-code',
      'signalbox connect gemini --write --local',
      'signalbox connect codex --http',
      'signalbox connect codex --undo --write',
    ],
    exitCodes: [
      [0, 'ok'],
      [2, 'a settings file cannot be changed without losing something'],
      [3, 'from inside a command'],
      [4, 'something would change, there is no terminal to confirm on, and --write is not given'],
      [6, 'it was written, but what the agent would start does not answer'],
    ],
    json: '{agent, written, undone, verified, files[{path, purpose, changed, after}], notes[]}',
    seeAlso: ['mcp', 'serve'],
  },
  {
    name: 'mcp',
    group: 'Operate',
    summary: 'Serve the agent that starts this process, over MCP on standard input and output',
    brief: 'Serve one agent over MCP',
    flags: [
      {
        name: 'provider',
        value: 'ID',
        text: 'Name of the agent here, with its own lane and limits (default: agent)',
      },
      {
        name: 'http',
        text: 'Over HTTP instead: prints the address and a token, both valid until Ctrl-C',
      },
    ],
    about: [
      'Starts the workspace’s coordinator or joins the running one: several agents can use one workspace. signalbox connect adds it to the settings of an agent. In a folder that is not a workspace it starts nothing and reports that.',
    ],
    examples: ['signalbox mcp --provider claude-code', 'signalbox mcp --provider codex --http'],
    exitCodes: [
      [0, 'the agent has disconnected'],
      [2, 'this is not a workspace yet: signalbox init'],
      [6, 'another subcommand holds the workspace and does not serve it'],
    ],
    json: 'with --http: first {"event":"mcp.started", url, provider, accessToken}; else the protocol',
    seeAlso: ['serve'],
  },
  {
    name: 'dashboard',
    group: 'Operate',
    summary: 'Open the dashboard in your browser, and print a link to it',
    brief: 'Open the dashboard',
    flags: [{ name: 'no-open', text: 'Print the link and open nothing' }],
    about: [
      'Uses an open port, such as that of serve; if there is none, the coordinator opens one on this machine until it stops (signalbox stop). Starts a coordinator if none is running. The link works once, within 2 minutes. The browser stays signed in for 12 hours. No browser is opened over SSH, without a display or into a pipe.',
      'In a checkout the page is built first if it is missing or older than its sources.',
    ],
    examples: ['signalbox dashboard', 'signalbox dashboard --no-open'],
    exitCodes: [
      [0, 'ok'],
      [6, 'no coordinator can be started, or it has no page to serve'],
    ],
    json: '{url, expiresAt}',
    seeAlso: ['serve', 'stop'],
  },
  {
    name: 'token',
    group: 'Operate',
    summary: 'Make, list and revoke access tokens',
    brief: 'Manage access tokens',
    args: [
      { name: 'ACTION', kind: 'optional', choices: ['create', 'list', 'revoke'] },
      { name: 'ID', kind: 'optional' },
    ],
    flags: [
      {
        name: 'role',
        value: 'ROLE',
        choices: ['viewer', 'approver', 'operator', 'provider'],
        text: 'Role of its holder (default: viewer)',
      },
      { name: 'provider', value: 'ID', text: 'Provider it calls as; with --role provider' },
      { name: 'name', value: 'NAME', text: 'Name of its holder in the audit log (default: you)' },
      { name: 'expires', value: '7d', text: 'Lifetime (default: until revoked)' },
    ],
    about: [
      'viewer: read only. approver: also answers approvals. operator: also sends calls, cancels, sets the mode. provider: sends calls, sees only its own commands.',
    ],
    examples: [
      'signalbox token create --role approver --name mira --expires 7d',
      'signalbox token create --role provider --provider claude-code',
      'signalbox token list',
    ],
    exitCodes: [
      [0, 'ok'],
      [2, 'unknown token'],
    ],
    json: 'create {id, kind, role, name, provider, createdAt, expiresAt, accessToken}; list {tokens[]}; revoke {revoked}',
    seeAlso: ['serve'],
  },
  {
    name: 'forget',
    group: 'Operate',
    summary: 'Remove the data of this workspace on Redis and, on request, its local state',
    brief: 'Remove its data on Redis and its state',
    flags: [
      { name: 'redis', value: 'URL', text: 'Where its keys are (or SIGNALBOX_REDIS_URL)' },
      { name: 'state', text: 'Remove the .signalbox folder too: audit log, history, copies for undo' },
      { name: 'yes', text: 'Skip the confirmation' },
    ],
    about: [
      'Shows what it would remove, with counts, and prompts. Your files stay. Not possible while a coordinator or a worker of the workspace is alive; one on a lost machine counts as alive for a minute.',
    ],
    examples: ['signalbox forget', 'signalbox forget --redis redis://10.0.0.5:6379 --state --yes'],
    exitCodes: [
      [0, 'removed'],
      [2, 'no Redis is given, and no --state'],
      [3, 'from inside a command'],
      [4, 'not confirmed, or no terminal to confirm on and no --yes'],
      [6, 'the workspace is in use, or Redis is unreachable'],
    ],
    json: '{redis{where, keys, ended, unfinished[{state, commands}]}|null, state{files, bytes}|null, removed}',
    seeAlso: ['serve', 'worker', 'bench'],
  },
];
