import { listIn } from '../../kit/changes/draft-fields.tsx';
import { withField } from '../../kit/changes/json-draft.ts';
import { CheckList, type CheckOption } from '../../kit/check-list.tsx';
import { problemInside } from '../../kit/data/field-problems.ts';
import type { DraftFormProps } from './draft-form-props.ts';

/**
 * A field in which several items can be chosen. If nothing is chosen, the field is omitted from the
 * body.
 */
export function SeveralField(
  props: DraftFormProps & {
    field: string;
    legend: string;
    hint?: string;
    none: string;
    options: readonly CheckOption[];
  },
) {
  const { field, draft } = props;
  return (
    <CheckList
      legend={props.legend}
      {...(props.hint !== undefined && { hint: props.hint })}
      problem={problemInside(props.problems, field)}
      none={props.none}
      options={props.options}
      chosen={listIn(draft, field)}
      onChange={(chosen) =>
        props.onChange(withField(draft, [field], chosen.length === 0 ? undefined : chosen))
      }
    />
  );
}
