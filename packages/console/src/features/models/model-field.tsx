import { Field } from '../../kit/field.tsx';
import { useOfferedModels } from './data/offered-models.ts';

export function ModelField(props: {
  hint: string;
  value: string;
  onChange: (model: string) => void;
}) {
  const { data: models = [] } = useOfferedModels();
  return (
    <Field label="Model" hint={props.hint}>
      {(control) => (
        <>
          <input
            {...control}
            autoComplete="off"
            list={`${control.id}-list`}
            value={props.value}
            onChange={({ target }) => props.onChange(target.value)}
          />
          <datalist id={`${control.id}-list`}>
            {models.map(({ id }) => (
              <option key={id} value={id} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
