import { Field } from '../../kit/field.tsx';

export interface EnvironmentChoice {
  readonly id: string;
  readonly name: string;
}

export function EnvironmentSelect(props: {
  environments: readonly EnvironmentChoice[];
  chosen: string;
  hint?: string;
  onChange: (environmentId: string) => void;
}) {
  return (
    <Field label="Environment" hint={props.hint}>
      {(control) => (
        <select
          {...control}
          value={props.chosen}
          onChange={(event) => props.onChange(event.target.value)}
        >
          {props.environments.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
