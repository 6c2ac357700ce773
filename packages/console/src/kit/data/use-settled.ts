import { useEffect, useState } from 'react';

const settledMs = 300;

/** Returns the typed text after a short pause in typing, to avoid a request for each letter. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), settledMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
