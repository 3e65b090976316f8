/** Whether objects and lists nest more than `most` levels deep. */
export function nestsDeeper(value: unknown, most: number): boolean {
  let level = [value].filter(isNest);
  for (let depth = 0; depth < most && level.length > 0; depth++) {
    level = level.flatMap((nest) => Object.values(nest).filter(isNest));
  }
  return level.length > 0;
}

/** Whether objects and lists hold more than `most` values, counted at every depth. */
export function holdsMore(value: unknown, most: number): boolean {
  const waiting: object[] = [value].filter(isNest);
  let count = 0;
  for (let nest = waiting.pop(); nest !== undefined; nest = waiting.pop()) {
    const values = Object.values(nest);
    count += values.length;
    if (count > most) return true;
    for (const one of values) if (isNest(one)) waiting.push(one);
  }
  return false;
}

function isNest(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
