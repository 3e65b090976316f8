/** Whether objects and lists lie in each other more than `most` times. */
export function nestsDeeper(value: unknown, most: number): boolean {
  let level = [value].filter(isNest);
  for (let depth = 0; depth < most && level.length > 0; depth++) {
    level = level.flatMap((nest) => Object.values(nest).filter(isNest));
  }
  return level.length > 0;
}

function isNest(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
