/** The keys that work on every page, and the dialog that lists them. */
import { useEffect, useState } from 'react';
import { Modal } from './modal.tsx';

const keys = [
  ['/', 'Go to the filter of this page'],
  ['?', 'Show this list'],
  ['Esc', 'Close a dialog, or leave the filter'],
] as const;

export function Keyboard() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]') !== null) return;
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

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const inText = target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select');
  return inText || target.isContentEditable;
}
