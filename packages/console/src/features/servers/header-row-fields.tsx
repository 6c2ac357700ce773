import { useId } from 'react';
import type { HeaderRow } from './header-rows.ts';

export function HeaderRowFields(props: {
  row: HeaderRow;
  number: number;
  problem: string | undefined;
  onChange: (row: HeaderRow) => void;
  onRemove: () => void;
}) {
  const { row, number, problem, onChange } = props;
  const id = useId();
  const invalid = problem === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': id };
  return (
    <div className="header-row">
      <label>
        <span>Header {number} name</span>
        <input
          {...(row.name.trim() === '' || row.value !== '' ? invalid : {})}
          autoComplete="off"
          spellCheck={false}
          className="code name"
          value={row.name}
          onChange={(event) => onChange({ ...row, name: event.target.value })}
        />
      </label>
      <label>
        <span>Header {number} value</span>
        <input
          {...(row.value === '' ? invalid : {})}
          type="password"
          autoComplete="off"
          className="code"
          value={row.value}
          onChange={(event) => onChange({ ...row, value: event.target.value })}
        />
      </label>
      <button
        type="button"
        className="small"
        aria-label={`Remove header ${number}`}
        onClick={props.onRemove}
      >
        Remove
      </button>
      {problem !== undefined && (
        <p className="problem" id={id}>
          {problem}
        </p>
      )}
    </div>
  );
}
