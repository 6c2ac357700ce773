/**
 * The criteria of a journey, one row each. A row keeps its criterion's id, because findings refer
 * to that id. Criteria with more than one value can be edited only as JSON.
 */
import { type Assertion, isRecord, type Json } from '@proofmark/domain';
import { checkText } from '@proofmark/report';
import { withField } from '../../kit/changes/json-draft.ts';
import { problemInside } from '../../kit/data/field-problems.ts';
import { criterionKinds, kindOf } from './criterion-kinds.ts';
import type { DraftFormProps } from './draft-form-props.ts';

export function CriteriaFields(props: DraftFormProps) {
  const { draft } = props;
  const rows = Array.isArray(draft.value['rubric']) ? draft.value['rubric'].filter(isRecord) : [];
  const keep = (next: readonly Json[]) =>
    props.onChange(withField(draft, ['rubric'], next.length === 0 ? undefined : next));
  const rubricProblem = problemInside(props.problems, 'rubric');
  const problem =
    rubricProblem !== undefined && rows.some(lacksValue)
      ? 'Fill in the value of each check.'
      : rubricProblem;
  return (
    <fieldset className="criteria">
      <legend>Checks</legend>
      <p className="hint">
        Each must hold in every session that was played to its end. Without checks, no session is
        graded.
      </p>
      {problem !== undefined && <p className="problem">{problem}</p>}
      {rows.map((row, at) => (
        <Criterion
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place until it is saved.
          key={at}
          row={row}
          number={at + 1}
          onChange={(next) => keep(rows.map((one, index) => (index === at ? next : one)))}
          onRemove={() => keep(rows.filter((_, index) => index !== at))}
        />
      ))}
      <button
        type="button"
        className="small"
        onClick={() => keep([...rows, { predicate: { type: 'noToolErrors' } }])}
      >
        Add check
      </button>
    </fieldset>
  );
}

/**
 * Whether the criterion lacks its value. The form then shows its own message, which names the
 * field.
 */
function lacksValue(row: Json): boolean {
  const predicate = isRecord(row['predicate']) ? row['predicate'] : {};
  const value = kindOf(predicate)?.value;
  return value !== undefined && String(predicate[value.field] ?? '') === '';
}

function Criterion(props: {
  row: Json;
  number: number;
  onChange: (row: Json) => void;
  onRemove: () => void;
}) {
  const { row, number } = props;
  const predicate = isRecord(row['predicate']) ? row['predicate'] : {};
  const kind = kindOf(predicate);
  const change = (next: Json) => props.onChange({ ...row, predicate: next });
  const value = kind?.value;
  return (
    <div className="criterion">
      <input
        aria-label={`Label of check ${number}`}
        placeholder="Label, or none"
        autoComplete="off"
        value={typeof row['label'] === 'string' ? row['label'] : ''}
        onChange={(event) => {
          const { label: _label, ...rest } = row;
          props.onChange(event.target.value === '' ? rest : { ...rest, label: event.target.value });
        }}
      />
      {kind === undefined ? (
        <p className="hint">{`${checkText(predicate as Assertion)} (edit it in the JSON)`}</p>
      ) : (
        <select
          aria-label={`Kind of check ${number}`}
          value={kind.type}
          onChange={(event) => change({ type: event.target.value })}
        >
          {criterionKinds.map(({ type, words }) => (
            <option key={type} value={type}>
              {words}
            </option>
          ))}
        </select>
      )}
      {value !== undefined && (
        <input
          aria-label={`${value.label} of check ${number}`}
          placeholder={value.label}
          autoComplete="off"
          inputMode={value.isNumber ? 'numeric' : 'text'}
          value={String(predicate[value.field] ?? '')}
          onChange={({ target }) => {
            const isNumber = value.isNumber === true && /^\d+$/.test(target.value);
            change({ ...predicate, [value.field]: isNumber ? Number(target.value) : target.value });
          }}
        />
      )}
      <button
        type="button"
        className="small"
        aria-label={`Remove check ${number}`}
        onClick={props.onRemove}
      >
        Remove
      </button>
    </div>
  );
}
