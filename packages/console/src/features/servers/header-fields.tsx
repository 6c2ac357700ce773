/**
 * Stored header values are never shown, and the API replaces all headers together. The stored
 * headers are therefore either kept or all replaced by new rows.
 */
import { useEffect, useId, useRef } from 'react';
import { type FieldProblems, problemInside } from '../../kit/data/field-problems.ts';
import { addRow, type HeaderRow, rowsFor } from './header-rows.ts';

type Headers = readonly HeaderRow[] | 'kept';

export function HeaderFields(props: {
  storedNames: readonly string[];
  headers: Headers;
  problems: FieldProblems;
  onChange: (headers: Headers) => void;
}) {
  const { storedNames, headers, problems, onChange } = props;
  const rowProblems = headers === 'kept' ? [] : headers.map((row) => rowProblem(problems, row));
  const general = rowProblems.every((problem) => problem === undefined)
    ? problemInside(problems, 'headers')
    : undefined;
  return (
    <fieldset>
      <legend>Headers</legend>
      {general !== undefined && <p className="problem">{general}</p>}
      {headers === 'kept' ? (
        <StoredHeaders names={storedNames} onReplace={() => onChange(rowsFor(storedNames))} />
      ) : (
        <>
          <p className="hint">
            {storedNames.length > 0
              ? 'Saving replaces all stored headers: enter each value again.'
              : 'Sent with every request to this server. Values are stored sealed and never shown.'}
          </p>
          <Rows rows={headers} rowProblems={rowProblems} onChange={onChange} />
          {storedNames.length > 0 && (
            <button type="button" className="small" onClick={() => onChange('kept')}>
              Keep the stored headers
            </button>
          )}
        </>
      )}
    </fieldset>
  );
}

function StoredHeaders(props: { names: readonly string[]; onReplace: () => void }) {
  return (
    <>
      <ul className="stored">
        {props.names.map((name) => (
          <li key={name}>
            <code>{name}</code> <span className="hint">stored, not shown</span>
          </li>
        ))}
      </ul>
      <button type="button" className="small" onClick={props.onReplace}>
        Replace or remove headers
      </button>
    </>
  );
}

function Rows(props: {
  rows: readonly HeaderRow[];
  rowProblems: readonly (string | undefined)[];
  onChange: (rows: HeaderRow[]) => void;
}) {
  const add = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const count = useRef(props.rows.length);
  // After a row is added, its name field gets the focus. After a row is removed, the button that
  // adds rows gets the focus.
  useEffect(() => {
    if (props.rows.length > count.current) {
      const names = box.current?.querySelectorAll<HTMLInputElement>('input.name');
      names?.[names.length - 1]?.focus();
    } else if (props.rows.length < count.current) add.current?.focus();
    count.current = props.rows.length;
  }, [props.rows.length]);
  return (
    <div ref={box}>
      {props.rows.map((row, index) => (
        <HeaderRowFields
          key={row.key}
          row={row}
          number={index + 1}
          problem={props.rowProblems[index]}
          onChange={(changed) =>
            props.onChange(props.rows.map((one) => (one.key === row.key ? changed : one)))
          }
          onRemove={() => props.onChange(props.rows.filter((one) => one.key !== row.key))}
        />
      ))}
      <button
        ref={add}
        type="button"
        className="small"
        onClick={() => props.onChange(addRow(props.rows))}
      >
        Add header
      </button>
    </div>
  );
}

function rowProblem(problems: FieldProblems, row: HeaderRow): string | undefined {
  return problems[`headers.${row.name.trim()}`];
}

function HeaderRowFields(props: {
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
