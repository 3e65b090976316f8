export function PolicyPage() {
  return (
    <div className="head">
      <h1>Policy</h1>
    </div>
  );
}
