export function SessionsPage() {
  return (
    <div className="head">
      <h1>Sessions</h1>
    </div>
  );
}
