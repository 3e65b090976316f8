/** Grey track lines at about the final height; they show after 200 ms, by CSS. */
export function Loading({ lines = 5 }: Readonly<{ lines?: number }>) {
  return (
    <div className="loading" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, at) => (
        <i key={at} />
      ))}
    </div>
  );
}
