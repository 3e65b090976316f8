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
    "Say yes to a command that waits for a person

    Usage: signalbox approve [ID...] [flags]

    Without an ID it shows the waiting commands one by one. You approve exactly what
    is shown: if the call or a file that it would touch changes meanwhile, the
    answer no longer counts and it is asked again.

    Where a rule wants two people, the second yes lets it run.

          --expect HASH     Answer only this call (needed without a terminal;
                            \`signalbox status --json\` has HASH)
      -e, --edit            Change the shell line first, in $VISUAL or $EDITOR; it
                            is judged again and shown
          --modify LINE     Approve this shell line in its place; it is judged again
          --always          Also make a rule of it, as narrow as the call; shown
                            before it is stored
      -r, --remember        The same as --always
          --for session|local|workspace|user
                            Of --always: session (default), local, workspace or user
          --expires TIME    Of --always, in a file: after 7d (default 30d)
          --server URL      At that server; its access token stands in
                            SIGNALBOX_TOKEN
          --token-file FILE
                            Its access token, in a file that only you can read

    Examples    signalbox approve p9ze
                signalbox approve p9ze --expect 3fa9c1d0 --no-input
                signalbox approve p9ze --edit
                signalbox approve p9ze --modify "npm ci"
                signalbox approve p9ze --always --for local --expires 7d
    Exit codes  0 granted; 2 unknown id; 3 not you, or expired; 4 no terminal and no
                --expect; 5 decided or changed; 6 no coordinator runs here
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
