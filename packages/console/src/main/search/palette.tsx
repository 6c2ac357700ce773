/** Search and commands in one box: typing filters, arrows move, Enter opens, Escape closes. */
import './palette.css';
import { count } from '@proofmark/domain';
import { useLocation, useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { projectOfPath } from '../../kit/frame/project-of-path.ts';
import { useShownDialog } from '../../kit/modal.tsx';
import { rankItems, runOfId, type SearchItem } from './rank-items.ts';
import { useSearchItems } from './search-items.ts';

const shown = 30;

export function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useShownDialog(onClose);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const router = useRouter();
  const pathname = useLocation({ select: (location) => location.pathname });
  const found = useSearchItems(projectOfPath(pathname));
  const id = useId();
  const run = runOfId(typed);
  const ranked = [...(run === undefined ? [] : [run]), ...rankItems(found.items, typed)];
  const items = ranked.slice(0, shown);
  const active = Math.min(chosen, items.length - 1);
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const open = (item: SearchItem) => {
    onClose();
    router.history.push(item.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const item = items[active];
    if (step !== undefined && items.length > 0) {
      setChosen((active + step + items.length) % items.length);
    } else if (event.key === 'Enter' && item !== undefined) open(item);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      {...dialog}
      className="palette"
      aria-label="Search"
      onPointerDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Search or do something"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={items.length > 0 ? `${id}-${active}` : undefined}
        aria-autocomplete="list"
        placeholder="Search pages, servers, suites, cases, latest runs …"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Found">
        {items.map((item, index) => (
          <button
            type="button"
            key={`${item.kind} ${item.href}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => open(item)}
            onPointerMove={() => setChosen(index)}
          >
            <span className="palette-kind">{item.kind}</span>
            <bdi>{item.name}</bdi>
            {item.place !== undefined && <bdi className="palette-place">{item.place}</bdi>}
          </button>
        ))}
      </div>
      <p className="hint" role="status">
        {foundWords(items.length, ranked.length, found)}
      </p>
      <p className="hint palette-keys">
        <kbd>↑</kbd> <kbd>↓</kbd> move · <kbd>Enter</kbd> opens · <kbd>Esc</kbd> closes
      </p>
    </dialog>
  );
}

function foundWords(
  listed: number,
  all: number,
  found: Omit<ReturnType<typeof useSearchItems>, 'items'>,
): string {
  const parts = [
    found.isReading ? 'Still reading …' : '',
    listed < all ? `The first ${listed} of ${all}.` : '',
    all === 0 && !found.isReading ? 'Nothing has this name.' : '',
    found.failed > 0 ? `${count(found.failed, 'project')} could not be read.` : '',
    found.left > 0
      ? `The contents of ${count(found.left, 'other project')} are found from their own pages.`
      : '',
    found.suitesLeft > 0
      ? `The cases of ${count(found.suitesLeft, 'suite')} are found on ${found.suitesLeft === 1 ? 'its page' : 'their pages'}.`
      : '',
  ];
  return parts.filter(Boolean).join(' ');
}
