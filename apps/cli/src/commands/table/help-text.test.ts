import { expect, test } from 'vitest';
import { mainHelp, subcommandHelp } from './help-text.ts';
import { subcommandTable } from './subcommand-table.ts';

test('help fits into 80 cells', () => {
  for (const text of [mainHelp(), ...subcommandTable.map(subcommandHelp)]) {
    expect(text.split('\n').filter((row) => row.length > 80)).toEqual([]);
  }
});

test('the help of a subcommand has usage, flags, an example and its exit codes', () => {
  const approve = subcommandTable.find(({ name }) => name === 'approve');
  expect(approve === undefined ? '' : subcommandHelp(approve)).toMatchInlineSnapshot(`
    "Usage: signalbox approve [ID...] [flags]

    Approve a pending command

    Without an ID, shows pending approvals one at a time. You approve exactly what
    is shown: if the call or a file covered by the approval changes first, your
    answer is discarded and you are asked again.

    If a rule needs two approvers, it runs after the second one.

    An approval that expires pauses its session and can still be answered. If the
    agent has already moved on, its next identical call uses your answer, once.

    Options:
      --expect <HASH>      Answer only if the call hash is still HASH (required
                           without a terminal; \`signalbox status ID\` shows it)
      -e, --edit           Edit the shell line in $VISUAL or $EDITOR first; it is
                           re-checked and shown
      --modify <LINE>      Approve LINE instead; it is re-checked
      --always             Also save an allow rule as narrow as this call; shown
                           before it is saved
      -r, --remember       The same as --always
      --for <WHOM>         With --always: who the rule applies to (default: session;
                           for your own lines: local) (choices: "session", "local",
                           "workspace", "user")
      --expires <TIME>     With --always, for rules saved to a file: lifetime
                           (default: 30d)
      --extend <TIME>      Decide later; keep the approval open for this much longer
                           (5m)
      --server <URL>       Use the server at URL (access token from SIGNALBOX_TOKEN)
      --token-file <FILE>  Read the access token from FILE (must be readable only by
                           you)

    Examples    signalbox approve p9ze
                signalbox approve p9ze --expect 3fa9c1d0 --no-input
                signalbox approve p9ze --edit
                signalbox approve p9ze --modify "npm ci"
                signalbox approve p9ze --always --for local --expires 7d
                signalbox approve p9ze --extend 5m
    Exit codes  0 approved; 2 unknown id; 3 not allowed to approve, or expired; 4 no
                terminal and no --expect; 5 already decided, or changed; 6 server
                not running
    --json      {command, answer, approval:{status, by, answeredAt, callHash, …},
                rule}
    See also    deny, status
    "
  `);
});

test('every example is a call of its own subcommand', () => {
  for (const { name, examples } of subcommandTable) {
    for (const example of examples)
      expect(example).toMatch(new RegExp(`^([^|]+ [|] )?signalbox ${name}( |$)`));
  }
});
