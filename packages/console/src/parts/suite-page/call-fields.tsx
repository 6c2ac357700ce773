/** A call of a tool: server and tool by name, and its arguments by the form of the tool where the server lists it. */
import { useMemo } from 'react';
import { useTools } from '../../data/server-lists.ts';
import { argumentFields } from '../../servers/argument-fields.ts';
import type { ArgumentPath } from '../../servers/argument-values.ts';
import { Field } from '../field.tsx';
import { ArgumentFields } from '../server-page/argument-fields.tsx';
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

/** An id that was stated beside the name of another server would win over it. */
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
  if (tool === undefined || fields.length === 0) return <TypedCall {...props} tools={names} />;
  return (
    <>
      <ToolField form={form} path={path} number={number} tools={names} />
      <ArgumentFields
        fields={fields}
        value={form.draft.value}
        problems={form.problemsByKey}
        path={place}
        onChange={form.change}
      />
    </>
  );
}

function TypedCall(props: CallProps & { tools: readonly string[] }) {
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

function ToolField({ form, path, number, tools }: CallProps & { tools: readonly string[] }) {
  return (
    <ValueText
      form={form}
      label={`Tool of step ${number}`}
      path={[...path, 'toolName']}
      list={tools}
    />
  );
}
