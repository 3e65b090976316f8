/** `anthropic` is AN, `claude-code` CC: who it is, without a colour. */
function plateLetters(provider: string): string {
  const words = provider.split(/[^a-zA-Z0-9]+/).filter((word) => word !== '');
  const [first = '??', second] = words;
  return (second === undefined ? first.slice(0, 2) : first.slice(0, 1) + second.slice(0, 1)).toUpperCase();
}

export function Plate({ provider }: Readonly<{ provider: string }>) {
  return (
    <span className="plate" title={provider} aria-hidden="true">
      {plateLetters(provider)}
    </span>
  );
}
