/** The form of a client. Fields without an input can be edited in the JSON beside it. */
import type { ProjectServer } from '@proofmark/contract';
import { lexicalModelId } from '@proofmark/domain';
import { valueAt } from '../../kit/arguments/argument-values.ts';
import { type JsonDraft, readObject, withField } from '../../kit/changes/json-draft.ts';
import { TypedField } from '../../kit/changes/typed-field.tsx';
import { ChoiceRows } from '../../kit/choice-rows.tsx';
import type { FieldProblems } from '../../kit/data/field-problems.ts';
import { Field } from '../../kit/field.tsx';
import {
  type Attachment,
  attachedIds,
  attachmentOf,
  type ClientDraft,
  withAttachment,
  withProfileField,
} from './client-draft.ts';
import { ConnectionHeaders } from './connection-headers.tsx';

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one form, its fields in the order of the page.
export function ClientFields(props: {
  draft: ClientDraft;
  servers: readonly ProjectServer[];
  problems: FieldProblems;
  onChange: (draft: ClientDraft) => void;
}) {
  const { draft, problems } = props;
  const { json } = draft;
  const change = (next: typeof json) => props.onChange({ ...draft, json: next });
  const text = (...path: string[]) => {
    const value = valueAt(json.value, path);
    return typeof value === 'string' ? value : '';
  };
  return (
    <div>
      <Field label="Name" problem={problems['name']}>
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            value={draft.name}
            onChange={(event) => props.onChange({ ...draft, name: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Model"
        hint={`${lexicalModelId} is built in and needs no key and no network.`}
        problem={problems['modelId']}
      >
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            spellCheck={false}
            className="code"
            value={text('modelId')}
            onChange={(event) => change(withField(json, ['modelId'], event.target.value))}
          />
        )}
      </Field>
      <Field label="System prompt" problem={problems['systemPrompt']}>
        {(control) => (
          <textarea
            {...control}
            rows={5}
            value={text('systemPrompt')}
            onChange={(event) =>
              change(withField(json, ['systemPrompt'], event.target.value || undefined))
            }
          />
        )}
      </Field>
      <TypedField
        label="Temperature"
        hint="From 0 to 2. Empty: the model’s own."
        path={['temperature']}
        draft={json}
        problem={problems['temperature']}
        read={(typed) => readNumber(typed, 0, 2, 'Enter a number from 0 to 2.')}
        onChange={change}
      />
      <TypedField
        label="Top-p"
        hint="From 0 to 1. Empty: the model’s own."
        path={['topP']}
        draft={json}
        problem={problems['topP']}
        read={(typed) => readNumber(typed, 0, 1, 'Enter a number from 0 to 1.')}
        onChange={change}
      />
      <TypedField
        label="Max output tokens"
        hint="An answer that it cuts is graded as it stands. Empty: the model’s own."
        path={['maxTokens']}
        draft={json}
        problem={problems['maxTokens']}
        read={(typed) =>
          readNumber(typed, 1, 1_000_000, 'Enter a whole number from 1 to 1000000.', true)
        }
        onChange={change}
      />
      <YesNo
        label="Approval of each tool call"
        value={json.value['requireToolApproval']}
        onChange={(value) => change(withField(json, ['requireToolApproval'], value))}
      />
      <YesNo
        label="Parallel tool calls"
        hint="Yes: several calls of one answer are made at once. Otherwise one after the other."
        value={json.value['parallelToolCalls']}
        onChange={(value) => change(withField(json, ['parallelToolCalls'], value))}
      />
      <YesNo
        label="Tool visibility"
        hint="Yes: tools that are not meant for the model are hidden from it."
        value={json.value['respectToolVisibility']}
        onChange={(value) => change(withField(json, ['respectToolVisibility'], value))}
      />
      <YesNo
        label="Resource links in results"
        hint="Yes: the model can read what a result of a tool links to."
        value={readsLinks[text('mcpProfile', 'resourceLinks')]}
        onChange={(value) =>
          change(
            withProfileField(
              json,
              'resourceLinks',
              value === undefined ? '' : value ? 'read' : 'ignore',
            ),
          )
        }
      />
      <ServerAttachments
        draft={json}
        servers={props.servers}
        problem={problems['optionalServerIds'] ?? problems['serverIds']}
        onChange={change}
      />
      <fieldset>
        <legend>Connection</legend>
        <p className="hint">
          Settings for all servers; they take precedence over those of a server.
        </p>
        <ConnectionHeaders
          draft={json}
          problem={problems['connectionDefaults.headers']}
          onChange={change}
        />
        <TypedField
          label="Request timeout in milliseconds"
          hint="At most 600000. Empty: that of the server."
          path={['connectionDefaults', 'requestTimeout']}
          draft={json}
          problem={problems['connectionDefaults.requestTimeout']}
          read={(typed) =>
            readNumber(typed, 1, 600_000, 'Enter a whole number from 1 to 600000.', true)
          }
          onChange={change}
        />
      </fieldset>
      <fieldset>
        <legend>Declarations to servers</legend>
        <Field
          label="Protocol version"
          hint="Empty or auto: agreed on with each server."
          problem={problems['mcpProfile.mcpProtocolVersion']}
        >
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              spellCheck={false}
              className="code short"
              value={text('mcpProfile', 'mcpProtocolVersion')}
              onChange={(event) =>
                change(withProfileField(json, 'mcpProtocolVersion', event.target.value))
              }
            />
          )}
        </Field>
        <TypedField
          label="Capabilities as JSON"
          hint="Declared to every server, as they stand here."
          path={['clientCapabilities']}
          draft={json}
          problem={problems['clientCapabilities']}
          rows={6}
          read={readObject}
          onChange={change}
        />
      </fieldset>
    </div>
  );
}

const readsLinks: Readonly<Record<string, boolean>> = { read: true, ignore: false };

function YesNo(props: {
  label: string;
  hint?: string;
  value: unknown;
  onChange: (value: boolean | undefined) => void;
}) {
  const shown = props.value === true ? 'yes' : props.value === false ? 'no' : '';
  return (
    <Field label={props.label} hint={props.hint}>
      {(control) => (
        <select
          {...control}
          className="short"
          value={shown}
          onChange={(event) =>
            props.onChange(event.target.value === '' ? undefined : event.target.value === 'yes')
          }
        >
          <option value="">not stated</option>
          <option value="yes">yes</option>
          <option value="no">no</option>
        </select>
      )}
    </Field>
  );
}

function readNumber(
  text: string,
  least: number,
  most: number,
  problem: string,
  isWhole = false,
): { value: unknown } | { problem: string } {
  const value = Number(text);
  const isRight =
    /^\s*\d+(\.\d+)?\s*$/.test(text) &&
    value >= least &&
    value <= most &&
    (!isWhole || Number.isInteger(value));
  return isRight ? { value } : { problem };
}

/** A deleted server that is still attached stays visible, so that it can be detached. */
function ServerAttachments(props: {
  draft: JsonDraft;
  servers: readonly ProjectServer[];
  problem: string | undefined;
  onChange: (draft: JsonDraft) => void;
}) {
  const { draft, servers } = props;
  const known = new Set(servers.map(({ id }) => id));
  const gone = attachedIds(draft).filter((id) => !known.has(id));
  const rows = [
    ...servers.map(({ id, name }) => ({ id, name })),
    ...gone.map((id) => ({ id, name: `${id} (no longer there)` })),
  ];
  return (
    <fieldset>
      <legend>Servers</legend>
      <p className="hint">
        A required server must be there for a run; an optional one is used while it is.
      </p>
      {props.problem !== undefined && <p className="problem">{props.problem}</p>}
      {rows.length === 0 && <p className="hint">This project has no servers yet.</p>}
      <ChoiceRows
        rows={rows.map((row) => ({ ...row, chosen: attachmentOf(draft, row.id), options }))}
        onChoose={(id, to) => props.onChange(withAttachment(draft, id, to as Attachment))}
      />
    </fieldset>
  );
}

const options = [
  ['none', 'not attached'],
  ['required', 'required'],
  ['optional', 'optional'],
] as const;
