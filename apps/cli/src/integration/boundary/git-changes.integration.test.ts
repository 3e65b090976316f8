import { describe, expect, test } from 'vitest';
import { hostGit, LAYERS } from '../../testing/host-git.ts';
import { createTestWorkspace, openTestRuntime } from '../../testing/open-test-runtime.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const ALLOWED = { approval: { approval_mode: 'allow_all' } } as const;
const ID = '[0-9a-f]{12}';

describe('changes of a command below .git', () => {
  test('are reported by name in result, content and audit line: refs and HEAD with both values, objects by number', async () => {
    await using own = await openTestRuntime({ settings: ALLOWED, files: { 'a.txt': 'one\n' } });
    const commit = 'echo two > a.txt && git commit -qam second';
    const done = await own.call('openai', 'bash', { line: commit });
    expect(done.git).toContainEqual(expect.stringMatching(new RegExp(`^refs/heads/main ${ID} → ${ID}$`)));
    expect(done.git).toContain('index modified');
    expect(done.git).toContain('objects created: 3');
    expect(done.content).toContain(`git: ${done.git?.join('; ')}`);
    expect(own.auditLines().at(-1)).toMatchObject({ git: done.git });
    const { signalbox } = createTestTerminal(own.workspace);
    expect((await signalbox('diff', done.commandId)).out).toMatch(
      new RegExp(`git +refs/heads/main ${ID} → ${ID}\n`),
    );

    const switched = await own.call('openai', 'bash', {
      line: 'git switch -qc feature',
    });
    expect(switched.git).toContain('HEAD refs/heads/main → refs/heads/feature');
    expect(switched.git).toContainEqual(
      expect.stringMatching(new RegExp(`^refs/heads/feature none → ${ID}$`)),
    );

    const packed = await own.call('openai', 'bash', { line: 'git pack-refs --all' });
    expect(packed.git).toEqual(['packed-refs created']);
    const tagged = await own.call('openai', 'bash', { line: 'git tag v1 && git pack-refs --all' });
    expect(tagged.git).toContainEqual(expect.stringMatching(new RegExp(`^refs/tags/v1 none → ${ID}$`)));
    const plain = await own.call('openai', 'bash', { line: 'echo three > b.txt' });
    expect(plain.git).toBe(undefined);
  });

  test.for([
    ['a ref of its own', 'git replace $old $new'],
    ['a packed ref', 'git pack-refs --all; echo "$new refs/replace/$old" >> .git/packed-refs'],
    [
      'a packed ref after a tab',
      "printf '# pack-refs with: peeled fully-peeled sorted \\n%s\\trefs/replace/%s\\n' $new $old > .git/packed-refs",
    ],
    [
      'a packed ref in a line of its own',
      "printf '# pack-refs with: peeled fully-peeled sorted \\n%s\\nrefs/replace/%s\\n' $new $old > .git/packed-refs",
    ],
  ] as const)('can’t show other content than the commits’, by %s', async ([, deed]) => {
    const script = `new=$(echo evil | git hash-object -w --stdin); old=$(git rev-parse HEAD:a.txt); ${deed}\n`;
    await using own = await openTestRuntime({
      settings: ALLOWED,
      files: { 'a.txt': 'one\n', 'b.txt': 'two\n', 'x.sh': script },
    });
    const done = await own.call('openai', 'bash', { line: 'bash x.sh' });
    expect(done).toMatchObject({
      success: false,
      content: expect.stringMatching(/git replace|as git writes/),
    });
    expect(hostGit(own.workspace, 'show', 'HEAD:a.txt')).toBe('one\n');
    // Objects replaced by the user are packed like any other ref.
    const [first = '', second = ''] = ['HEAD:a.txt', 'HEAD:b.txt'].map((name) =>
      hostGit(own.workspace, 'rev-parse', name).trim(),
    );
    hostGit(own.workspace, 'replace', first, second);
    expect(await own.call('openai', 'bash', { line: 'git pack-refs --all' })).toMatchObject({
      success: true,
    });
    expect(hostGit(own.workspace, 'show', 'HEAD:a.txt')).toBe('two\n');
  });

  test.for([
    ['moves a branch after a tab', "printf '%s\\trefs/heads/main\\n' $old"],
    ['names a branch twice', "printf '%s refs/heads/main\\n%s refs/heads/main\\n' $old $new"],
    ['hides a branch behind another', "printf '%s refs/heads/x\\n%s refs/heads/main\\n' $old $new"],
  ] as const)('are refused if a file of packed refs %s', async ([, print]) => {
    await using own = await openTestRuntime({
      settings: ALLOWED,
      files: {
        'a.txt': 'one\n',
        'x.sh': `new=$(git rev-parse HEAD); old=$(git rev-parse HEAD~1); rm -f .git/refs/heads/main
{ echo '# pack-refs with: peeled fully-peeled sorted '; ${print}; } > .git/packed-refs\n`,
      },
    });
    hostGit(own.workspace, 'commit', '-q', '--allow-empty', '-m', 'second');
    const head = hostGit(own.workspace, 'rev-parse', 'main');
    const done = await own.call('openai', 'bash', { line: 'bash x.sh' });
    expect(done).toMatchObject({ success: false, content: expect.stringContaining('as git writes') });
    expect(hostGit(own.workspace, 'rev-parse', 'main')).toBe(head);
  });

  test.each(LAYERS)(
    'hide no history through a script’s shallow file, in the layer %s',
    async (layer, settings) => {
      const workspace = createTestWorkspace({
        'a.txt': 'one\n',
        'x.sh': 'git rev-parse HEAD > .git/shallow\n',
      });
      hostGit(workspace, 'commit', '-q', '--allow-empty', '-m', 'second');
      const commits = () => hostGit(workspace, 'rev-list', '--count', 'HEAD').trim();
      await using own = await openTestRuntime({ settings: { ...ALLOWED, ...settings }, workspace });
      const done = await own.call('openai', 'bash', { line: 'bash x.sh' });
      expect(done).toMatchObject({ success: false, isolation: { layer } });
      expect(`${done.content} ${done.git?.join(' ')}`).toContain('hides the history');
      expect(commits()).toBe('2');
    },
  );
});
