import type { Flag, SubcommandRow } from './subcommand-row.ts';

const listenFlags: readonly Flag[] = [
  { name: 'port', value: 'PORT', text: 'Where to listen (default: an open port, else 4180; 0: any)' },
  { name: 'host', value: 'HOST', text: 'Address to listen on (default: 127.0.0.1, this machine alone)' },
  { name: 'allow-host', value: 'NAME', many: true, text: 'A further name that requests may call it by' },
  { name: 'tls-cert', value: 'FILE', text: 'Certificate, as PEM' },
  { name: 'tls-key', value: 'FILE', text: 'Key of the certificate, as PEM' },
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
        text: 'Lead the workspace in this process, for containers and systemd; implied by the flags below',
      },
      {
        name: 'unconfined',
        text: 'Run commands without a sandbox where none works; each of them then asks you',
      },
      {
        name: 'redis',
        value: 'URL',
        text: 'Lead it together with others, on this Redis (or SIGNALBOX_REDIS_URL)',
      },
      { name: 'open', text: 'Open the dashboard in your browser' },
      {
        name: 'inspect',
        text: 'Log each step of the coordinator, its commands, sessions and other actors, in .signalbox/log.jsonl',
      },
      { name: 'no-local', text: 'On Redis: run programs at workers alone' },
      { name: 'volatile', text: 'On Redis: accept a server that forgets everything when it ends' },
    ],
    about: [
      'The port belongs to the coordinator that runs in the background, which is started where none does. Ctrl-C closes the port, unless another serve or dashboard uses it; the coordinator goes on while it is needed, and signalbox stop ends it. With --foreground this process is the coordinator: Ctrl-C stops what runs, and what waits goes on at the next start.',
      'Your own programs connect through the socket of the workspace, or .signalbox/server.json (readable only by you). Everyone else needs an access token.',
      'On Redis any number of coordinators lead one workspace, on any machines that see the same tree: see docs/scaling.md. A URL with a password is better given by the variable than on the command line.',
    ],
    examples: ['signalbox serve', 'signalbox serve --open', 'signalbox serve --port 0 --json'],
    exitCodes: [
      [0, 'the port is closed; with --foreground: stopped'],
      [1, 'it did not stop within 20 s, and was ended'],
      [2, 'it would listen beyond this machine without TLS'],
      [6, 'the port or the workspace is taken, or the coordinator has stopped'],
    ],
    json: 'first {"event":"server.started", url}',
    seeAlso: ['dashboard', 'token', 'stop'],
  },
  {
    name: 'worker',
    group: 'Operate',
    summary: 'Run programs of a workspace that is led on Redis, until it is stopped',
    brief: 'Execute commands for a workspace on Redis',
    flags: [
      { name: 'redis', value: 'URL', text: 'That of its coordinators (or SIGNALBOX_REDIS_URL)' },
      { name: 'concurrency', value: 'N', text: 'How many programs at once (default: 3)' },
      { name: 'labels', value: 'A,B', text: 'What it offers: commands that ask for it come here' },
      { name: 'unconfined', text: 'Run commands without a sandbox where none works' },
      { name: 'volatile', text: 'Accept a Redis that forgets everything when it ends' },
      {
        name: 'drain',
        text: 'Start none: the workers of this workspace on this machine take no more, finish and leave',
      },
    ],
    about: [
      'It must see the very tree of the coordinators, and looks whether it does. Ctrl-C or SIGTERM: it takes no more, waits for what runs, then leaves; a second time stops what runs.',
    ],
    examples: [
      'signalbox worker --redis redis://10.0.0.5:6379',
      'signalbox worker --concurrency 8 --labels gpu,linux',
      'signalbox worker --drain',
    ],
    exitCodes: [
      [0, 'stopped'],
      [2, 'no Redis is named, or this is no workspace of it'],
      [6, 'Redis or a coordinator is not there, or this is another tree'],
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
      { name: 'write', text: 'Write what is shown, without asking; with --undo too' },
      { name: 'print', text: 'Show it; ask nothing, change nothing' },
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
      'Shows what would change in the settings of the agent, and asks in a terminal; without one only --write changes anything. --undo does the same for taking it out. All other settings are kept. Signalbox is then started once, the way the agent will, to verify that its tools respond.',
      "Committed, these settings turn off every colleague's own tools, with or without Signalbox installed. Keep them to yourself with --local, or share them with --command signalbox, which each PATH resolves.",
    ],
    examples: [
      'signalbox connect claude-code',
      'signalbox connect gemini --write --local',
      'signalbox connect codex --http',
      'signalbox connect codex --undo --write',
    ],
    exitCodes: [
      [0, 'ok'],
      [2, 'a file of settings cannot be changed without losing something'],
      [3, 'from inside a command'],
      [4, 'something would change, there is no terminal to confirm on, and --write is not given'],
      [6, 'it was written, and what the agent would start does not answer'],
    ],
    json: '{agent, written, undone, verified, files[{path, purpose, changed, after}], notes[]}',
    seeAlso: ['mcp', 'serve'],
  },
  {
    name: 'mcp',
    group: 'Operate',
    summary: 'Serve the agent that starts this, over MCP on standard input and output',
    brief: 'Serve one agent over MCP',
    flags: [
      {
        name: 'provider',
        value: 'ID',
        text: 'What the agent is called here, with its own lane and limits (default: agent)',
      },
      {
        name: 'http',
        text: 'Over HTTP instead: prints the address and a token for it, both good until Ctrl-C',
      },
    ],
    about: [
      'Starts the workspace’s coordinator or joins the running one: several agents can start it for one workspace. signalbox connect writes it into the settings of an agent. In a folder that is not a workspace yet it starts nothing and says so.',
    ],
    examples: ['signalbox mcp --provider claude-code', 'signalbox mcp --provider codex --http'],
    exitCodes: [
      [0, 'the agent has gone'],
      [2, 'this is no workspace yet: signalbox init'],
      [6, 'another subcommand has the workspace and does not serve it'],
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
      'Uses a port that is open, such as that of serve; where none is, the coordinator opens one on this machine, until it ends (signalbox stop). Starts a coordinator where none runs. The link works once, within 2 minutes. The browser stays signed in for 12 hours. Over SSH, without a screen or into a pipe no browser is opened.',
      'In a checkout the page is built first where it is missing or older than its sources.',
    ],
    examples: ['signalbox dashboard', 'signalbox dashboard --no-open'],
    exitCodes: [
      [0, 'ok'],
      [6, 'no coordinator can be started, or it has no page to show'],
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
        text: 'What its holder may do (default: viewer)',
      },
      { name: 'provider', value: 'ID', text: 'As which provider it calls; with --role provider' },
      { name: 'name', value: 'NAME', text: 'Whose it is, as the audit names them (default: you)' },
      { name: 'expires', value: '7d', text: 'How long it is good for (default: until it is revoked)' },
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
    summary: 'Remove what is kept of this workspace on Redis, and its state on request',
    brief: 'Remove its keys on Redis, and its state',
    flags: [
      { name: 'redis', value: 'URL', text: 'Where its keys are (or SIGNALBOX_REDIS_URL)' },
      { name: 'state', text: 'Remove the .signalbox folder too: audit log, history, copies for undo' },
      { name: 'yes', text: 'Remove it without asking' },
    ],
    about: [
      'Shows what it would remove, with counts, and prompts. Your files stay. It refuses while a coordinator or a worker of the workspace is alive; one on a lost machine counts as alive for a minute.',
    ],
    examples: ['signalbox forget', 'signalbox forget --redis redis://10.0.0.5:6379 --state --yes'],
    exitCodes: [
      [0, 'removed'],
      [2, 'no Redis is named, and --state is not given'],
      [3, 'from inside a command'],
      [4, 'not confirmed, or no terminal to confirm on and no --yes'],
      [6, 'the workspace is in use, or Redis is not there'],
    ],
    json: '{redis{where, keys, ended, unfinished[{state, commands}]}|null, state{files, bytes}|null, removed}',
    seeAlso: ['serve', 'worker', 'bench'],
  },
];
