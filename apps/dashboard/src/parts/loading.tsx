import styles from './loading.module.css';
/** Grey placeholder lines at about the final height; CSS shows them after 200 ms. */
export function Loading({ lines = 5 }: Readonly<{ lines?: number }>) {
  return (
    <div className={styles['loading']} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, at) => (
        <i key={at} />
      ))}
    </div>
  );
}
