/** Sets a value as the latest one, and drops the oldest beyond `max`. */
export function keepLatest<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  { value, max }: Readonly<{ value: Value; max: number }>,
): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= max) return;
    map.delete(oldest);
  }
}
