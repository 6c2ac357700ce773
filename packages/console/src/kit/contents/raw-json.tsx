/** A value as the server sent it. The JSON is rendered only when the user opens it. */
import { useState } from 'react';
import { LongText } from './long-text.tsx';

export function RawJson(props: { title: string; value: unknown }) {
  const [open, setOpen] = useState(false);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="unfold-title">{props.title}</summary>
      {open && <LongText text={JSON.stringify(props.value, null, 2)} />}
    </details>
  );
}
