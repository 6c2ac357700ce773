/** The keys that work on every page, and the dialog that lists them. */
import { useEffect, useState } from 'react';
import { Modal } from './modal.tsx';

const keys = [
  ['/', 'Go to the filter of this page'],
  ['j', 'On a run: go to the next trial that did not pass; on a trial: open the next'],
  ['k', 'The one before'],
  ['o', 'On a run: open the trace of that trial'],
  ['?', 'Show this list'],
  ['Esc', 'Close a dialog, or leave the filter'],
] as const;

export function Keyboard() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isForPage(event)) return;
      const filter = document.querySelector<HTMLInputElement>('input[type="search"]');
      if (event.key === '?') setOpen(true);
      else if (event.key === '/' && filter !== null) filter.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
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

/** Whether a key is meant for the page, and not for a text, a dialog or the browser. */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return false;
  return document.querySelector('dialog[open]') === null;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const inText = target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select');
  return inText || target.isContentEditable;
}
