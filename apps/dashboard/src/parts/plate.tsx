import { useHouse } from '../house/panel-store.ts';

/** Who it is in two characters, without a colour; the name appears on hover. */
export function Plate({ provider }: Readonly<{ provider: string }>) {
  const plate = useHouse(({ plates }) => plates.get(provider));
  return (
    <span className="plate" title={provider} aria-hidden="true">
      {plate ?? '··'}
    </span>
  );
}
