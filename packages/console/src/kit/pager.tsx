/**
 * Shows a long list one page at a time, so that the page around it keeps its height. A list that
 * fits on one page has no buttons.
 */
import { grouped } from '@proofmark/domain';
import { type ReactNode, useState } from 'react';

/** Items that are not loaded yet. */
export interface MoreItems {
  readonly isThere: boolean;
  readonly isBusy: boolean;
  load(): void;
}

export interface Pager<Item> {
  readonly shown: readonly Item[];
  /** The buttons below the list. */
  readonly buttons: ReactNode;
}

export function usePager<Item>(
  items: readonly Item[],
  options: { readonly size: number; readonly what: string; readonly more?: MoreItems },
): Pager<Item> {
  const { size, what, more } = options;
  const [wanted, setWanted] = useState(0);
  const last = Math.max(0, Math.ceil(items.length / size) - 1);
  // A page that is being loaded is shown once its first item has arrived.
  const page = Math.min(wanted, last);
  const from = page * size;
  const shown = items.slice(from, from + size);
  const isMore = more?.isThere === true;
  if (last === 0 && !isMore) return { shown: items, buttons: null };
  const isWaiting = more?.isBusy === true && page === last;
  const next = () => {
    if (page === last) more?.load();
    setWanted(page + 1);
  };
  const all = `${isMore ? 'at least ' : ''}${grouped(items.length)}`;
  const range = `${grouped(from + 1)} to ${grouped(from + shown.length)} of ${all}`;
  return {
    shown,
    buttons: (
      <nav className="pager" aria-label={`Pages of ${what}`}>
        <button
          type="button"
          className="small"
          data-step="previous"
          disabled={page === 0}
          onClick={() => setWanted(page - 1)}
        >
          Previous
        </button>
        <button
          type="button"
          className="small"
          data-step="next"
          disabled={isWaiting || (page === last && !isMore)}
          onClick={next}
        >
          Next
        </button>
        <span className="hint figures" role="status">
          {isWaiting ? 'Loading…' : range}
        </span>
      </nav>
    ),
  };
}
