/** Each header row keeps its text as typed. The draft is updated only while all rows are valid. */

import { isRecord } from '@proofmark/domain';
import { useState } from 'react';
import { valueAt } from '../../kit/arguments/argument-values.ts';
import { type JsonDraft, withField, withProblem } from '../../kit/changes/json-draft.ts';
import { addRow, type HeaderRow, headersOf } from '../servers/index.ts';

const path = ['connectionDefaults', 'headers'] as const;

interface Props {
  readonly draft: JsonDraft;
  readonly problem: string | undefined;
  readonly onChange: (draft: JsonDraft) => void;
}

export function ConnectionHeaders(props: Props) {
  return <Rows key={props.draft.generation} {...props} />;
}

function Rows({ draft, problem, onChange }: Props) {
  const [rows, setRows] = useState(() => rowsOf(valueAt(draft.value, path)));
  const change = (next: readonly HeaderRow[]) => {
    setRows(next);
    const { headers, problems } = headersOf(next);
    const [first] = Object.values(problems);
    const value = Object.keys(headers).length === 0 ? undefined : headers;
    onChange(first === undefined ? withField(draft, path, value) : withProblem(draft, path, first));
  };
  const shownProblem = draft.problems[path.join('.')] ?? problem;
  return (
    <div className="field">
      {rows.map((row, index) => (
        <div className="header-row" key={row.key}>
          <label>
            <span>Header {index + 1} name</span>
            <input
              autoComplete="off"
              spellCheck={false}
              className="code"
              value={row.name}
              aria-invalid={shownProblem !== undefined || undefined}
              onChange={(event) => change(replaced(rows, { ...row, name: event.target.value }))}
            />
          </label>
          <label>
            <span>Header {index + 1} value</span>
            <input
              autoComplete="off"
              spellCheck={false}
              className="code"
              value={row.value}
              onChange={(event) => change(replaced(rows, { ...row, value: event.target.value }))}
            />
          </label>
          <button
            type="button"
            className="small"
            aria-label={`Remove header ${index + 1}`}
            onClick={() => change(rows.filter(({ key }) => key !== row.key))}
          >
            Remove
          </button>
        </div>
      ))}
      {shownProblem !== undefined && <p className="problem">{shownProblem}</p>}
      <button type="button" className="small" onClick={() => setRows(addRow(rows))}>
        Add header
      </button>
      <p className="hint">
        Everybody in the project can read these, so keep secrets on the server.
      </p>
    </div>
  );
}

function replaced(rows: readonly HeaderRow[], row: HeaderRow): HeaderRow[] {
  return rows.map((one) => (one.key === row.key ? row : one));
}

function rowsOf(headers: unknown): readonly HeaderRow[] {
  if (!isRecord(headers)) return [];
  return Object.entries(headers).map(([name, value], key) => ({ key, name, value: String(value) }));
}
