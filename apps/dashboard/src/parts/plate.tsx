import { useWorkspace } from '../workspace/panel-store.ts';

/** A provider in two characters, without a colour; the name appears on hover. */
export function Plate({ provider }: Readonly<{ provider: string }>) {
  const plate = useWorkspace(({ plates }) => plates.get(provider));
  return (
    <span className="plate" title={provider} aria-hidden="true">
      {plate ?? '··'}
    </span>
  );
}
