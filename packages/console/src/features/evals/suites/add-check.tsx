/** A button that opens all kinds of checks in groups, with a search. */
import { type AssertionType, assertionWords, count } from '@proofmark/domain';
import { useState } from 'react';
import { FilterBox } from '../../../kit/filter-box.tsx';
import { foundGroups } from './assertion-groups.ts';

export function AddCheck({ onAdd }: { onAdd: (type: AssertionType) => void }) {
  return <CheckSearch action="Add check" place="check" onChoose={onAdd} />;
}

export function CheckSearch(props: {
  action: string;
  place: 'step' | 'check';
  onChoose: (type: AssertionType) => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const groups = foundGroups(props.place, typed);
  const found = groups.reduce((sum, { types }) => sum + types.length, 0);
  const choose = (type: AssertionType) => {
    setIsOpen(false);
    setTyped('');
    props.onChoose(type);
  };
  return (
    <div className="add-check">
      <button
        type="button"
        className="small"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {props.action}
      </button>
      {isOpen && (
        <div className="check-kinds">
          <FilterBox
            label="Search checks"
            value={typed}
            found={found === 0 ? 'No check has such a name.' : count(found, 'check')}
            onChange={setTyped}
          />
          {groups.map(({ title, types }) => (
            <section key={title} aria-label={title}>
              <h4>{title}</h4>
              <ul>
                {types.map((type) => (
                  <li key={type}>
                    <button type="button" className="link" onClick={() => choose(type)}>
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
