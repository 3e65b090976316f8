/**
 * Finds the import circles of a graph, each as a path that ends where it began.
 *
 * @param graph Each file and its imports.
 */
export function importCircles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const finished = new Set<string>();
  const trail: string[] = [];

  for (const file of graph.keys()) visit(file);
  return circles;

  function visit(file: string): void {
    if (finished.has(file)) return;
    const start = trail.indexOf(file);
    if (start >= 0) {
      circles.push([...trail.slice(start), file]);
      return;
    }
    trail.push(file);
    for (const target of graph.get(file) ?? []) visit(target);
    trail.pop();
    finished.add(file);
  }
}
