/** Equal versions have the same hash. It says nothing to most readers, so it is folded. */
export function ContentHash({ hash }: { hash: string }) {
  return (
    <details>
      <summary>Content hash</summary>
      <code>{hash}</code>
    </details>
  );
}
