import { useEffect, useRef, useState } from 'react';

/** Half of the pause between two changes of a throttled page. */
const MOMENT_MS = 120;

/** The value a moment later, so that drawing it does not lengthen a frame in which other parts draw. */
export function useShortlyAfter<Value>(value: Value): Value {
  const [shown, setShown] = useState(value);
  const latest = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    latest.current = value;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setShown(latest.current);
    }, MOMENT_MS);
  }, [value]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return shown;
}
