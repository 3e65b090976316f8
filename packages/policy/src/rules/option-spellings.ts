/** By program, and its verb where that matters: equivalent options, the short one first. */
const SAME: ReadonlyMap<string, readonly string[]> = new Map([
  ['prettier', ['-w --write', '-c --check', '-l --list-different']],
  ['rm', ['-r --recursive', '-R --recursive', '-f --force']],
  ['cp', ['-r --recursive', '-R --recursive', '-a --archive', '-f --force']],
  ['chmod', ['-R --recursive']],
  ['chown', ['-R --recursive']],
  ['sed', ['-i --in-place']],
  ['curl', ['-X --request', '-d --data', '-T --upload-file', '-F --form', '-o --output', '-k --insecure']],
  ['npm', ['-g --global']],
  ['pnpm', ['-g --global']],
  ['eslint', ['-c --config', '-o --output-file']],
  ['vitest', ['-u --update']],
  ['jest', ['-u --updateSnapshot']],
  ['docker', ['-v --volume']],
  ['git push', ['-f --force', '-d --delete']],
  ['git commit', ['-n --no-verify', '-a --all']],
  ['git clean', ['-f --force']],
  ['git checkout', ['-f --force']],
  ['git branch', ['-d --delete', '-D --delete', '-f --force']],
  ['git tag', ['-d --delete', '-f --force']],
  ['git add', ['-A --all', '-f --force']],
]);

type Words = readonly (string | null)[];

/** The same words, with each known option in its other spelling too, so that a rule holds back both. */
export function withSpellings(program: string, words: Words): Words {
  const verb = words.find((word) => word?.startsWith('-') !== true);
  const pairs = [program, `${program} ${verb}`].flatMap((name) => SAME.get(name) ?? []);
  const others = pairs.flatMap((pair) => {
    const short = pair.slice(0, 2);
    const long = pair.slice(3);
    const texts = words.filter((word) => word !== null);
    const isShort = texts.some((word) => /^-[a-zA-Z0-9]{1,7}$/.test(word) && word.includes(short.slice(1)));
    const isLong = texts.some((word) => word === long || word.startsWith(`${long}=`));
    return [...(isShort ? [long] : []), ...(isLong ? [short] : [])];
  });
  return [...words, ...others];
}
