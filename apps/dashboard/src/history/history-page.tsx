export function HistoryPage() {
  return (
    <div className="head">
      <h1>History</h1>
    </div>
  );
}
