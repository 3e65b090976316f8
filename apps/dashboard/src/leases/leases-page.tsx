export function LeasesPage() {
  return (
    <div className="head">
      <h1>Leases</h1>
    </div>
  );
}
