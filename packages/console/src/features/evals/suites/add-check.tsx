/** The choice of a new check: all kinds in groups, with a search. */
import { type AssertionType, assertionWords, count } from '@proofmark/domain';
import { useState } from 'react';
import { FilterBox } from '../../../kit/filter-box.tsx';
import { foundGroups } from './assertion-groups.ts';

export function AddCheck({ onAdd }: { onAdd: (type: AssertionType) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const groups = foundGroups('check', typed);
  const found = groups.reduce((sum, { types }) => sum + types.length, 0);
  const add = (type: AssertionType) => {
    setIsOpen(false);
    setTyped('');
    onAdd(type);
  };
  return (
    <div className="add-check">
      <button
        type="button"
        className="small"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        Add check
      </button>
      {isOpen && (
        <div className="check-kinds">
          <FilterBox
            label="Search checks"
            value={typed}
            found={found === 0 ? 'No check is called like that.' : count(found, 'check')}
            onChange={setTyped}
          />
          {groups.map(({ title, types }) => (
            <section key={title} aria-label={title}>
              <h4>{title}</h4>
              <ul>
                {types.map((type) => (
                  <li key={type}>
                    <button type="button" className="link" onClick={() => add(type)}>
                      {assertionWords[type]}
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
    </div>
  );
}
