import { expect, test } from 'vitest';
import { openFollower } from '../../testing/open-follower.ts';
import { openTestServer } from '../../testing/open-test-server.ts';

test('status --watch and queue --follow show the current state as it changes, until Ctrl-C (U-17)', async () => {
  await using own = await openTestServer({
    settings: { approval: { prompt_on_warning: true }, execution: { max_concurrent_executions: 1 } },
  });
  const env = { SIGNALBOX_TOKEN: own.token };
  const runs = own.of.submit('openai', 'bash', { args: { line: 'sleep 60' } });
  await own.of.event('command_started', ({ commandId }) => commandId === runs.commandId);
  const followers = [[], ['--server', own.url]].flatMap((where) =>
    [
      ['status', '--watch'],
      ['queue', '--follow', '--provider', 'anthropic'],
    ].map((argv) => ({
      isQueue: argv[0] === 'queue',
      ...openFollower(own.of.workspace, [...argv, ...where], { env }),
    })),
  );
  await Promise.all(
    followers.map(({ row, isQueue }) => row(isQueue ? /^Queue is empty/ : /^1 of \d running {3}0 waiting/)),
  );
  const [status] = followers;
  await own.of.submit('anthropic', 'bash', { args: { line: 'touch a' } }).resting;
  await Promise.all(followers.filter(({ isQueue }) => !isQueue).map(({ row }) => row(/ 1 approval /)));
  const waits = own.of.submit('anthropic', 'bash', { args: { line: 'sleep 61' } });
  await Promise.all(
    followers.map(({ row, isQueue }) =>
      row(isQueue ? new RegExp(`${waits.commandId} .*a free slot`) : /running {3}1 waiting/),
    ),
  );
  for (const { commandId } of [waits, runs])
    await own.of.runtime.coordinator.cancel(commandId, { by: 'ana' });
  for (const { stop, ran } of followers) {
    stop();
    expect((await ran).exit).toBe(130);
  }
  expect(status?.rows.filter((row) => row.startsWith('! '))).not.toEqual([]);
});
