/** Creates a queue that runs tasks one at a time, in order of arrival. A failed task does not stop the next one. */
export function createSerialQueue(): <Answer>(task: () => Promise<Answer>) => Promise<Answer> {
  let tail: Promise<unknown> = Promise.resolve();

  return (task) => {
    const next = tail.then(task);
    tail = next.catch(() => undefined);
    return next;
  };
}
