/** Shows a short message about a completed action. It stays visible after a change of page. */
import { useEffect, useSyncExternalStore } from 'react';

export function notify(text: string): void {
  current = { text };
  for (const listener of listeners) listener();
}

export function Notice() {
  const notice = useSyncExternalStore(subscribe, () => current);
  useEffect(() => {
    if (notice.text === '') return;
    const timer = setTimeout(() => notify(''), shownMs);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div className="notice" role="status">
      {notice.text !== '' && <p>{notice.text}</p>}
    </div>
  );
}

const shownMs = 8_000;
const listeners = new Set<() => void>();
let current = { text: '' };

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
