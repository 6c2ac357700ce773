import { useId } from 'react';

export function ChooseOne<Name extends string>(props: {
  legend: string;
  options: Readonly<Record<Name, { readonly label: string; readonly hint: string }>>;
  chosen: Name;
  onChoose: (name: Name) => void;
}) {
  const id = useId();
  return (
    <fieldset>
      <legend>{props.legend}</legend>
      {(Object.keys(props.options) as Name[]).map((name) => (
        <div key={name} className="field check">
          <input
            id={`${id}-${name}`}
            type="radio"
            name={id}
            aria-describedby={`${id}-${name}-hint`}
            checked={props.chosen === name}
            onChange={() => props.onChoose(name)}
          />
          <label htmlFor={`${id}-${name}`}>{props.options[name].label}</label>
          <p className="hint" id={`${id}-${name}-hint`}>
            {props.options[name].hint}
          </p>
        </div>
      ))}
    </fieldset>
  );
}
