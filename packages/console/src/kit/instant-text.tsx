export function InstantText(props: { atMs: number }) {
  const at = new Date(props.atMs);
  return <time dateTime={at.toISOString()}>{format.format(at).replace(',', '')}</time>;
}

const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
