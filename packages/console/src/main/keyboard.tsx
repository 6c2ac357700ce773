import { lazy, Suspense, useEffect, useState } from 'react';
import { isForPage } from '../kit/keys.ts';
import { Modal } from '../kit/modal.tsx';

/** Loaded on demand, because most users never open the search. */
const Palette = lazy(async () => ({
  default: (await import('./search/palette.tsx')).Palette,
}));

const keys = [
  ['/', 'Go to the filter of this page; where it has none, search by name'],
  ['Ctrl K', 'Search pages and what is in projects by name, or do something (⌘K on a Mac)'],
  ['j', 'On a run: go to the next trial that did not pass; on a trial: open the next'],
  ['k', 'The one before'],
  ['o', 'On a run: open the trace of that trial'],
  ['?', 'Show this list'],
  ['Esc', 'Close a dialog, or leave the filter'],
] as const;

export function Keyboard({ isSignedIn }: { isSignedIn: boolean }) {
  const [open, setOpen] = useState(false);
  const [searching, setSearching] = useState(false);
  useEffect(() => {
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a list of keys, and for each of them what it does.
    const onKey = (event: KeyboardEvent) => {
      if (isSignedIn && isForSearch(event)) {
        event.preventDefault();
        setSearching(true);
        return;
      }
      if (!isForPage(event)) return;
      const filter = document.querySelector<HTMLInputElement>('input[type="search"]');
      if (event.key === '?') setOpen(true);
      else if (event.key === '/' && filter !== null) filter.focus();
      else if (event.key === '/' && isSignedIn) setSearching(true);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isSignedIn]);
  return (
    <>
      {isSignedIn && (
        <button type="button" className="keys" onClick={() => setSearching(true)}>
          Search <kbd className="wide-only">Ctrl K</kbd>
        </button>
      )}
      {searching && (
        <Suspense fallback={null}>
          <Palette onClose={() => setSearching(false)} />
        </Suspense>
      )}
      <button
        type="button"
        className="keys"
        aria-label="Keyboard keys"
        onClick={() => setOpen(true)}
      >
        <kbd>?</kbd>
        <span className="wide-only"> keys</span>
      </button>
      {open && (
        <Modal title="Keys" onClose={() => setOpen(false)}>
          <dl className="key-list">
            {keys.map(([key, meaning]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
          <div className="actions">
            <button type="button" onClick={() => setOpen(false)}>
              Close
            </button>
          </div>
        </Modal>
      )}
    </>
  );
}

/** The shortcut opens the search even in a text field, but not in an open dialog. */
function isForSearch(event: KeyboardEvent): boolean {
  const isKey = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
  if (!isKey || event.altKey || event.shiftKey) return false;
  return document.querySelector('dialog[open]') === null;
}
