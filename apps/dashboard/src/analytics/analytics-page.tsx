export function AnalyticsPage() {
  return (
    <div className="head">
      <h1>Analytics</h1>
    </div>
  );
}
