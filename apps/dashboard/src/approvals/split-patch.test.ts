import { expect, test } from 'vitest';
import { patchRows } from '../changes/patch-rows.ts';
import { splitPatch } from './split-patch.ts';

const PATCH = `diff --git a/a b.txt b/a b.txt
index 1..2 100644
--- a/a b.txt
+++ b/a b.txt
@@ -1 +1 @@
-one
+two
diff --git a/bin b/bin
new file mode 100644
index 0000000..1
Binary files /dev/null and b/bin differ
diff --git a/old b/new
similarity index 100%
rename from old
rename to new
`;

test('each file of a patch has its name and its rows, or a note', () => {
  const files = splitPatch(PATCH);
  expect(files.map(({ path }) => path)).toEqual(['a b.txt', 'bin', 'new']);
  const [first, second, third] = files.map(({ patch }) => patchRows(patch, 'forth'));
  expect(first?.rows.map(({ kind, text }) => `${kind} ${text}`)).toEqual(['removed one', 'added two']);
  expect(second?.note).toBe('new file mode 100644, Binary files /dev/null and b/bin differ');
  expect(third?.note).toBe('rename from old, rename to new');
});

test('a patch of one file without a header is that file, and an empty patch has no files', () => {
  expect(splitPatch('--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-a\n+b')).toMatchObject([{ path: 'x' }]);
  expect(splitPatch('')).toEqual([]);
});
