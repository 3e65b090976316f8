export function ApprovalsPage() {
  return (
    <div className="head">
      <h1>Approvals</h1>
    </div>
  );
}
