/** The whole conversation as a file, redacted. */
export function DownloadSession({ id }: Readonly<{ id: string }>) {
  return (
    <>
      <a
        className="btn sm quiet"
        href={`/api/sessions/${id}/export?format=markdown`}
        title="The whole conversation as Markdown, without secrets"
        download
      >
        Download
      </a>
      <a
        className="btn sm quiet"
        href={`/api/sessions/${id}/export?format=jsonl`}
        title="The same as JSON Lines, for programs"
        download
      >
        JSON
      </a>
    </>
  );
}
