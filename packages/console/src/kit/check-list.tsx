import { useId } from 'react';

export interface CheckOption {
  readonly id: string;
  readonly name: string;
  readonly hint?: string | undefined;
}

export function CheckList(props: {
  legend: string;
  hint?: string;
  problem?: string | undefined;
  options: readonly CheckOption[];
  none: string;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}) {
  const { options, chosen } = props;
  const id = useId();
  // A chosen item that no longer exists is shown too, so that it can be unchecked.
  const gone = chosen.filter((one) => !options.some((option) => option.id === one));
  const all = [...options, ...gone.map((one) => ({ id: one, name: one, hint: 'no longer there' }))];
  return (
    <fieldset className="choice-field" aria-describedby={props.hint === undefined ? undefined : id}>
      <legend>{props.legend}</legend>
      {props.hint !== undefined && (
        <p className="hint" id={id}>
          {props.hint}
        </p>
      )}
      {props.problem !== undefined && <p className="problem">{props.problem}</p>}
      {all.length === 0 && <p className="hint">{props.none}</p>}
      <div className="check-list">
        {all.map((option) => (
          <label key={option.id}>
            <input
              type="checkbox"
              checked={chosen.includes(option.id)}
              aria-invalid={props.problem !== undefined || undefined}
              onChange={(event) =>
                props.onChange(
                  event.target.checked
                    ? [...chosen, option.id]
                    : chosen.filter((one) => one !== option.id),
                )
              }
            />
            <span>
              {option.name}
              {option.hint !== undefined && <span className="hint"> {option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
