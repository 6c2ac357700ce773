import type { SchemaField } from './schema-fields.ts';

export function FieldList(props: {
  title: string;
  description?: string;
  fields: readonly (SchemaField & { parameterIn?: string })[];
  /**
   * Whether the fields belong to a response. Most fields of a response are always present, so only
   * optional ones are marked.
   */
  plain?: boolean;
  closed?: boolean;
}) {
  if (props.fields.length === 0) return null;
  return (
    <details open={!props.closed}>
      <summary className="unfold-title">{props.title}</summary>
      {props.description !== undefined && props.description !== '' && <p>{props.description}</p>}
      <ul className="fields">
        {props.fields.map((field, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: alternatives repeat paths, and the list never changes.
            key={index}
            className={`depth-${Math.min(field.depth, 4)}`}
          >
            {field.isAlternative ? (
              <b>as {field.type}</b>
            ) : (
              <FieldLine field={field} plain={props.plain} />
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

function FieldLine(props: {
  field: SchemaField & { parameterIn?: string };
  plain: boolean | undefined;
}) {
  const { field } = props;
  const notes = [
    ...(field.parameterIn === undefined ? [] : [`in ${field.parameterIn}`]),
    ...(field.required && !props.plain ? ['required'] : []),
    ...(!field.required && props.plain ? ['may be absent'] : []),
    ...field.limits,
  ];
  return (
    <>
      <code>{field.path}</code> <span className="type">{[field.type, ...notes].join(' · ')}</span>
      {field.description !== '' && <p>{field.description}</p>}
    </>
  );
}
