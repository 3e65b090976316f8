/** `anthropic` is AN, `claude-code` CC, `agent-12` A12: who it is, without a colour. */
function plateLetters(provider: string): string {
  const words = provider.split(/[^a-zA-Z0-9]+/).filter((word) => word !== '');
  const [first = '??', second] = words;
  if (second === undefined) return first.slice(0, 2).toUpperCase();
  const number = /^\d{1,2}$/.exec(second)?.[0];
  return (first.slice(0, 1) + (number ?? second.slice(0, 1))).toUpperCase();
}

export function Plate({ provider }: Readonly<{ provider: string }>) {
  return (
    <span className="plate" title={provider} aria-hidden="true">
      {plateLetters(provider)}
    </span>
  );
}
