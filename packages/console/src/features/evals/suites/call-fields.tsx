/**
 * The form of a tool call: server, tool and arguments. If the server lists the tool, its schema
 * defines the arguments' fields.
 */
import { isTemplate } from '@proofmark/domain';
import { useMemo, useState } from 'react';
import { argumentFields } from '../../../kit/arguments/argument-fields.ts';
import { argumentWarnings } from '../../../kit/arguments/argument-problems.ts';
import type { ArgumentPath } from '../../../kit/arguments/argument-values.ts';
import { ArgumentFields } from '../../../kit/arguments/arguments-form.tsx';
import { Field } from '../../../kit/field.tsx';
import type { CaseForm } from './case-form.ts';
import { toolNames } from './listed-fields.ts';
import { recordAt, textAt, ValueJson, ValueText } from './value-fields.tsx';

interface CallProps {
  readonly form: CaseForm;
  readonly path: ArgumentPath;
  readonly number: number;
}

export function CallFields(props: CallProps) {
  const { form, path } = props;
  const name = textAt(form, [...path, 'serverName']);
  const isKnown = form.servers.some((one) => one.name === name);
  return (
    <>
      <ServerField {...props} />
      {isKnown ? <ListedCall {...props} serverName={name} /> : <TypedCall {...props} tools={[]} />}
    </>
  );
}

/** Choosing a name removes a stored server id, which would take precedence over the name. */
export function ServerField({ form, path, number }: CallProps) {
  const chosen = textAt(form, [...path, 'serverName']);
  const isOther = chosen !== '' && !form.servers.some(({ name }) => name === chosen);
  const pick = (serverName: string) => {
    const { serverId: _id, serverName: _name, ...step } = recordAt(form, path);
    form.change(path, { ...step, ...(serverName !== '' && { serverName }) });
  };
  return (
    <Field
      label={`Server of step ${number}`}
      problem={form.problems[[...path, 'serverName'].join('.')]}
    >
      {(control) => (
        <select {...control} value={chosen} onChange={({ target }) => pick(target.value)}>
          <option value="">Choose…</option>
          {form.servers.map(({ id, name }) => (
            <option key={id} value={name}>
              {name}
            </option>
          ))}
          {isOther && <option value={chosen}>{chosen}</option>}
        </select>
      )}
    </Field>
  );
}

function ListedCall(props: CallProps & { serverName: string }) {
  const { form, path, number, serverName } = props;
  const { listed } = form;
  const toolName = textAt(form, [...path, 'toolName']);
  const tool = listed.tools?.find((one) => one.name === toolName && one.serverName === serverName);
  const fields = useMemo(() => argumentFields(tool?.inputSchema).fields, [tool?.inputSchema]);
  const place: ArgumentPath = [...path, 'arguments'];
  const names = toolNames(listed, serverName);
  const isUnlisted = tool === undefined && listed.tools !== undefined;
  const given = { tools: names, warning: isUnlisted ? unlistedWords(toolName) : undefined };
  if (tool === undefined || fields.length === 0) return <TypedCall {...props} {...given} />;
  const hasRows = form.draft.value['data'] !== undefined;
  return (
    <>
      <ToolField form={form} path={path} number={number} {...given} />
      <ArgumentFields
        fields={fields}
        value={form.draft.value}
        problems={form.problemsByKey}
        warnings={argumentWarnings(
          fields,
          recordAt(form, place),
          place,
          (text) => hasRows && isTemplate(text),
        )}
        path={place}
        onChange={form.change}
      />
    </>
  );
}

/**
 * Returns a hint for an unlisted tool. It is no error, because a case may test that a tool is
 * missing.
 */
function unlistedWords(toolName: string): string | undefined {
  return toolName === '' || isTemplate(toolName)
    ? undefined
    : 'The server lists no tool of this name now.';
}

interface Offered {
  readonly tools: readonly string[];
  readonly warning?: string | undefined;
}

function TypedCall(props: CallProps & Offered) {
  const { form, path, number } = props;
  return (
    <>
      <ToolField {...props} />
      <ValueJson
        form={form}
        label={`Arguments of step ${number} as JSON`}
        path={[...path, 'arguments']}
      />
    </>
  );
}

/** A choice of the listed tools. Any other name can be typed, since a case may test its absence. */
function ToolField({ form, path, number, tools, warning }: CallProps & Offered) {
  const [isTyped, setIsTyped] = useState(false);
  const name = textAt(form, [...path, 'toolName']);
  const given = { form, label: `Tool of step ${number}`, path: [...path, 'toolName'] };
  const isOther = name !== '' && !tools.includes(name);
  if (isTyped || isOther || (tools.length === 0 && form.listed.isReading !== true)) {
    return <ValueText {...given} warning={warning} list={tools} />;
  }
  return (
    <Field label={given.label} problem={form.problems[given.path.join('.')]}>
      {(control) => (
        <select
          {...control}
          value={name}
          onChange={({ target }) =>
            target.value === anotherName
              ? setIsTyped(true)
              : form.change(given.path, target.value || undefined)
          }
        >
          <option value="">Choose…</option>
          {tools.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
          <option value={anotherName}>Another name…</option>
        </select>
      )}
    </Field>
  );
}

/** No tool has this name, since it is not a word. */
const anotherName = '\n';
