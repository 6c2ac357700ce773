/**
 * The data rows of a case: their number, and how many of them a run plays. There may be thousands,
 * so the first ones are loaded only when the table is opened.
 */
import type { EvalCase } from '@proofmark/contract';
import { cleanText, columnsOf, count, grouped } from '@proofmark/domain';
import { useState } from 'react';
import { fieldProblems, formProblem, problemInside } from '../../../kit/data/field-problems.ts';
import { useOperation } from '../../../kit/data/operations.ts';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { Scrolling } from '../../../kit/scrolling.tsx';
import { type SuiteIds, useEditCase } from '../data/eval-suites.ts';

type Data = NonNullable<EvalCase['data']>;
type Row = NonNullable<Data['rows']>[number];

export function CaseRows(props: { ids: SuiteIds; caseId: string; data: Data }) {
  const { ids, caseId, data } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="case-rows" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{rowsWords(data)}</summary>
      {isOpen && (
        <>
          <RowTable ids={ids} caseId={caseId} />
          <EditData ids={ids} caseId={caseId} data={data} />
        </>
      )}
    </details>
  );
}

function rowsWords({ rowCount, key, sample }: Data): string {
  const all = `${count(rowCount, 'row')} by ${cleanText(key, false)}`;
  if (sample === undefined || sample.rows >= rowCount) return `${all}, each a case of its own`;
  return `${all}; a run plays ${grouped(sample.rows)} of them, seed ${sample.seed}`;
}

const shownRows = 20;

function RowTable({ ids, caseId }: { ids: SuiteIds; caseId: string }) {
  const one = useOperation('getEvalCase', { ...ids, caseId });
  return (
    <QueryView query={one}>
      {({ data }) => {
        const rows = (data?.rows ?? []).slice(0, shownRows);
        const names = columnsOf(rows);
        const further = (data?.rowCount ?? 0) - rows.length;
        return (
          <>
            <Scrolling as="section" label="Rows" className="table-scroll">
              <table>
                <thead>
                  <tr>
                    {names.map((name) => (
                      <th key={name} scope="col">
                        <bdi>{cleanText(name, false)}</bdi>
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <RowLine key={String(row[data?.key ?? ''])} row={row} names={names} />
                  ))}
                </tbody>
              </table>
            </Scrolling>
            {further > 0 && <p className="hint">{`${count(further, 'more row')} not shown.`}</p>}
          </>
        );
      }}
    </QueryView>
  );
}

function RowLine({ row, names }: { row: Row; names: readonly string[] }) {
  return (
    <tr>
      {names.map((name) => (
        <td key={name} data-label={cleanText(name, false)}>
          <bdi>{cellText(row[name])}</bdi>
        </td>
      ))}
    </tr>
  );
}

const longestCell = 200;

function cellText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const shown = text.length <= longestCell ? text : `${text.slice(0, longestCell - 1)}…`;
  return cleanText(shown, false);
}

function EditData({ ids, caseId, data }: { ids: SuiteIds; caseId: string; data: Data }) {
  const [key, setKey] = useState(data.key);
  const [rows, setRows] = useState(data.sample === undefined ? '' : String(data.sample.rows));
  const [seed, setSeed] = useState(String(data.sample?.seed ?? 0));
  const edit = useEditCase(ids, caseId);
  const problems = fieldProblems(edit.error);
  const sample = rows.trim() === '' ? null : { rows: numberOf(rows), seed: numberOf(seed) };
  return (
    <Form
      label="Key and sample of the rows"
      problem={formProblem(edit.error, ['data.key', 'data.sample'])}
      attempt={edit.error}
      onSubmit={() => edit.mutate({ data: { key, sample } })}
      buttons={
        <>
          <button type="submit" disabled={edit.isPending}>
            Save
          </button>
          {edit.isSuccess && <span role="status">Saved.</span>}
        </>
      }
    >
      <Field
        label="Key"
        hint="The column whose values tell the rows apart. With another key every row is another case."
        problem={problemInside(problems, 'data.key')}
      >
        {(control) => (
          <input
            {...control}
            className="short"
            autoComplete="off"
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
      </Field>
      <Field
        label="Rows in a run"
        hint="Left empty: all of them. A run plays at most 500 cases."
        problem={problemInside(problems, 'data.sample.rows')}
      >
        {(control) => (
          <input
            {...control}
            className="short"
            inputMode="numeric"
            value={rows}
            onChange={(event) => setRows(event.target.value)}
          />
        )}
      </Field>
      {sample !== null && (
        <Field
          label="Seed"
          hint="The same seed always takes the same rows."
          problem={problemInside(problems, 'data.sample.seed')}
        >
          {(control) => (
            <input
              {...control}
              className="short"
              inputMode="numeric"
              value={seed}
              onChange={(event) => setSeed(event.target.value)}
            />
          )}
        </Field>
      )}
    </Form>
  );
}

/** Invalid text is returned unchanged, so that the service reports it. */
function numberOf(text: string): number {
  const number = Number(text);
  return Number.isNaN(number) ? (text as unknown as number) : number;
}
