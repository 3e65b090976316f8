/** Sets a value as the latest one, and drops the oldest beyond `most`. */
export function keepLatest<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  { value, most }: Readonly<{ value: Value; most: number }>,
): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}
