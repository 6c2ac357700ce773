/**
 * The form of a tool call: server and tool by name, and the arguments. If the server lists the
 * tool, its schema defines their fields.
 */
import { isTemplate } from '@proofmark/domain';
import { useMemo } from 'react';
import { argumentFields } from '../../../kit/arguments/argument-fields.ts';
import { argumentWarnings } from '../../../kit/arguments/argument-problems.ts';
import type { ArgumentPath } from '../../../kit/arguments/argument-values.ts';
import { ArgumentFields } from '../../../kit/arguments/arguments-form.tsx';
import { useTools } from '../../../kit/data/server-lists.ts';
import { Field } from '../../../kit/field.tsx';
import type { CaseForm } from './case-form.ts';
import { recordAt, textAt, ValueJson, ValueText } from './value-fields.tsx';

interface CallProps {
  readonly form: CaseForm;
  readonly path: ArgumentPath;
  readonly number: number;
}

export function CallFields(props: CallProps) {
  const { form, path } = props;
  const name = textAt(form, [...path, 'serverName']);
  const server = form.servers.find((one) => one.name === name);
  return (
    <>
      <ServerField {...props} />
      {server === undefined ? (
        <TypedCall {...props} tools={[]} />
      ) : (
        <ListedCall {...props} serverId={server.id} />
      )}
    </>
  );
}

/**
 * The choice of a server by name. Choosing one removes a stored server id, which would take
 * precedence over the name.
 */
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

function ListedCall(props: CallProps & { serverId: string }) {
  const { form, path, number } = props;
  const tools = useTools({ projectId: form.projectId, serverId: props.serverId });
  const toolName = textAt(form, [...path, 'toolName']);
  const tool = tools.items?.find(({ name }) => name === toolName);
  const fields = useMemo(() => argumentFields(tool?.inputSchema).fields, [tool?.inputSchema]);
  const place: ArgumentPath = [...path, 'arguments'];
  const names = tools.items?.map(({ name }) => name) ?? [];
  const isUnlisted = tool === undefined && tools.items !== undefined && !tools.hasMore;
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
 * Returns a hint for a tool that the server does not list. It is not an error, since a case may
 * test that a tool is missing.
 */
function unlistedWords(toolName: string): string | undefined {
  return toolName === '' || isTemplate(toolName)
    ? undefined
    : 'The server lists no tool of this name now.';
}

interface Listed {
  readonly tools: readonly string[];
  readonly warning?: string | undefined;
}

function TypedCall(props: CallProps & Listed) {
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

function ToolField({ form, path, number, tools, warning }: CallProps & Listed) {
  return (
    <ValueText
      form={form}
      label={`Tool of step ${number}`}
      path={[...path, 'toolName']}
      warning={warning}
      list={tools}
    />
  );
}
