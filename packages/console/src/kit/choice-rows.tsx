import { useId } from 'react';

export function ChoiceRows(props: {
  rows: readonly {
    readonly id: string;
    readonly name: string;
    readonly chosen: string;
    readonly options: readonly (readonly [value: string, label: string])[];
  }[];
  onChoose: (id: string, value: string) => void;
}) {
  const prefix = useId();
  return (
    <div className="attachments">
      {props.rows.map(({ id, name, chosen, options }) => (
        <div key={id}>
          <label htmlFor={`${prefix}${id}`}>{name}</label>
          <select
            id={`${prefix}${id}`}
            value={chosen}
            onChange={(event) => props.onChoose(id, event.target.value)}
          >
            {options.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
      ))}
    </div>
  );
}
