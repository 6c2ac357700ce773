import { useEffect, useState } from 'react';

const settledMs = 300;

/** What is typed, once nobody typed for a moment: what is asked for each letter is asked in vain. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), settledMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
