/** Addresses that git fetches from by its settings: of remotes and submodules, as `insteadOf` rewrites them. */
export function addressesOfRemotes(text: string): readonly string[] {
  const urls: string[] = [];
  const rewrites: { prefix: string; base: string }[] = [];
  let section = '';
  let name = '';
  for (const row of text.split('\n')) {
    const head = /^\s{0,99}\[([\w-]{1,99})(?:\s{1,9}"([^"]{0,2000})")?\]/.exec(row);
    if (head !== null) [, section = '', name = ''] = head;
    const [, key = '', value = ''] = /^\s{0,99}(\w{1,99})\s{0,9}=\s{0,9}"?([^\s"]{1,2000})/.exec(row) ?? [];
    const isUrl = /^(?:remote|submodule)$/i.test(section) && key.toLowerCase() === 'url';
    if (isUrl) urls.push(value);
    if (/^url$/i.test(section) && key.toLowerCase() === 'insteadof')
      rewrites.push({ prefix: value, base: name });
  }
  return urls.map((url) => {
    // Git takes the longest match.
    const [longest] = rewrites
      .filter(({ prefix }) => url.startsWith(prefix))
      .toSorted((a, b) => b.prefix.length - a.prefix.length);
    return longest === undefined ? url : longest.base + url.slice(longest.prefix.length);
  });
}
