import { assertionWords } from '@proofmark/domain';
import { useId } from 'react';
import type { ArgumentPath } from '../../../kit/arguments/argument-values.ts';
import { ArgumentFields } from '../../../kit/arguments/arguments-form.tsx';
import { Field } from '../../../kit/field.tsx';
import { AddCheck, CheckSearch } from './add-check.tsx';
import { assertionFields, assertionGroups, withType } from './assertion-groups.ts';
import type { CaseForm } from './case-form.ts';
import { withListed } from './listed-fields.ts';
import { listAt, recordAt, textAt, type ValueForm, ValueJson } from './value-fields.tsx';

export type AssertionForm = ValueForm & Pick<CaseForm, 'problemsByKey' | 'arrange' | 'listed'>;

interface AssertionProps {
  readonly form: AssertionForm;
  readonly path: ArgumentPath;
  readonly place: 'step' | 'check';
  /** The name of the assertion. Screen readers use it in the label of the field "Kind". */
  readonly name: string;
}

export function AssertionFields({ form, path, place, name }: AssertionProps) {
  const assertion = recordAt(form, path);
  const type = textAt(form, [...path, 'type']);
  const isKnown = Object.hasOwn(assertionWords, type);
  // Some kinds have no form: assertions on widgets, and assertions with templates in cases with
  // data. They are edited as JSON.
  if (!isKnown && Object.keys(assertion).length > 0) {
    return <ValueJson form={form} label={`${name} as JSON`} path={path} rows={6} />;
  }
  const fields = withListed(assertionFields(type), assertion, form.listed);
  const own = form.problems[path.join('.')];
  return (
    <>
      <Field label={`${name}: kind`} problem={own ?? form.problems[[...path, 'type'].join('.')]}>
        {(control) => (
          <select
            {...control}
            value={type}
            onChange={({ target }) => form.arrange(path, withType(assertion, target.value))}
          >
            {assertionGroups(place).map(({ title, types }) => (
              <optgroup key={title} label={title}>
                {types.map((one) => (
                  <option key={one} value={one}>
                    {assertionWords[one]}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        )}
      </Field>
      {place === 'step' && (
        <CheckSearch
          action={`Search a check for ${name.toLowerCase()}`}
          place={place}
          onChoose={(chosen) => form.arrange(path, withType(assertion, chosen))}
        />
      )}
      <div className="assertion-fields">
        <ArgumentFields
          fields={fields.filter(({ required }) => required)}
          value={form.draft.value}
          problems={form.problemsByKey}
          path={path}
          onChange={form.change}
        />
        <FurtherFields form={form} path={path} fields={fields.filter((one) => !one.required)} />
      </div>
    </>
  );
}

/** Optional fields. They are collapsed unless one of them has a value. */
function FurtherFields(props: {
  form: AssertionForm;
  path: ArgumentPath;
  fields: ReturnType<typeof assertionFields>;
}) {
  const { form, path, fields } = props;
  if (fields.length === 0) return null;
  const isStated = fields.some(({ name }) => recordAt(form, path)[name] !== undefined);
  return (
    <details className="further" open={isStated || undefined}>
      <summary>More of this check</summary>
      <ArgumentFields
        fields={fields}
        value={form.draft.value}
        problems={form.problemsByKey}
        path={path}
        onChange={form.change}
      />
    </details>
  );
}

export function AssertionList(props: {
  form: AssertionForm;
  path: ArgumentPath;
  legend: string;
  hint: string;
  /**
   * Called with the changed list. `fresh` is the path of a new entry; its problems stay hidden
   * until the user touches it.
   */
  onList: (list: readonly unknown[], fresh: ArgumentPath) => void;
}) {
  const { form, path, onList } = props;
  const id = useId();
  const list = listAt(form, path);
  return (
    <fieldset className="parts" aria-describedby={id}>
      <legend>{props.legend}</legend>
      <p className="hint" id={id}>
        {props.hint}
      </p>
      {list.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an assertion is known by its place.
        <div className="part" key={`${form.draft.generation} ${at}`}>
          <AssertionFields
            form={form}
            path={[...path, at]}
            place="check"
            name={`Check ${at + 1}`}
          />
          <button
            type="button"
            className="small"
            onClick={() =>
              onList(
                list.filter((_one, index) => index !== at),
                path,
              )
            }
          >
            {`Remove check ${at + 1}`}
          </button>
        </div>
      ))}
      <AddCheck onAdd={(type) => onList([...list, withType({}, type)], [...path, list.length])} />
    </fieldset>
  );
}
