/**
 * The form that calls a tool. Fields and JSON edit the same value. Problems are shown before the
 * call, but invalid arguments can still be sent, to test the server's reaction.
 */
import type { OutputOf, Tool } from '@proofmark/contract';
import { type Json, widgetOfTool } from '@proofmark/domain';
import { lazy, Suspense, useId, useState } from 'react';
import type { ArgumentForm } from '../../kit/arguments/argument-fields.ts';
import { type ArgumentProblems, argumentProblems } from '../../kit/arguments/argument-problems.ts';
import {
  type Arguments,
  firstArguments,
  linesShown,
  readArguments,
  withRequiredObjects,
  withValue,
} from '../../kit/arguments/argument-values.ts';
import { ArgumentFields } from '../../kit/arguments/arguments-form.tsx';
import { useWholeList } from '../../kit/data/operations.ts';
import type { ServerIds } from '../../kit/data/server-lists.ts';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { caseOfCall, MakeCase } from '../evals/index.ts';
import { CallFailure } from './call-failure.tsx';
import { CallResult } from './call-result.tsx';
import { useCallTool } from './data/server-calls.ts';

/** Loaded only for a tool with a widget, because most tools have none. */
const PreviewOfWidget = lazy(async () => ({
  default: (await import('./preview-of-widget.tsx')).PreviewOfWidget,
}));

interface Draft {
  readonly value: Arguments;
  /** The JSON as typed. Dropped when a field is changed. */
  readonly typed?: string;
  readonly jsonProblem?: string;
}

const none: ArgumentProblems = new Map();

export function ToolCallForm(props: { tool: Tool; form: ArgumentForm; ids: ServerIds }) {
  const { tool, form, ids } = props;
  const call = useCallTool(ids);
  const [draft, setDraft] = useState<Draft>(() => ({ value: firstArguments(form.fields) }));
  const [problems, setProblems] = useState(none);
  const [attempt, setAttempt] = useState(0);
  const [sent, setSent] = useState<Arguments>({});
  const text = draft.typed ?? JSON.stringify(draft.value, null, 2);
  const change = (next: Draft) => {
    setDraft(next);
    // Once problems are shown, they are checked at each change, so that they disappear when
    // corrected.
    if (problems.size > 0) setProblems(argumentProblems(form.fields, next.value));
  };
  const send = (isForced: boolean) => {
    if (call.isPending) return;
    setAttempt(attempt + 1);
    if (draft.jsonProblem !== undefined) return;
    const found = argumentProblems(form.fields, draft.value);
    setProblems(isForced ? none : found);
    if (isForced || found.size === 0) {
      setSent(draft.value);
      call.start({ toolName: tool.name, parameters: { ...draft.value } });
    }
  };
  return (
    <>
      <Form
        label={`Call ${tool.name}`}
        problem={problemSentence(problems.size)}
        attempt={attempt}
        onSubmit={() => send(false)}
        buttons={
          <>
            <button type="submit" className="primary" disabled={call.isPending}>
              Call the tool
            </button>
            {call.isPending && (
              <button type="button" onClick={call.stop}>
                Stop
              </button>
            )}
            {problems.size > 0 && draft.jsonProblem === undefined && !call.isPending && (
              <button type="button" onClick={() => send(true)}>
                Send it as it is
              </button>
            )}
          </>
        }
      >
        <div className={form.fields.length === 0 ? 'arguments no-fields' : 'arguments'}>
          <div>
            {form.fields.length === 0 && (
              <p className="hint">Its schema names no arguments. Others can be sent as JSON.</p>
            )}
            <ArgumentFields
              fields={form.fields}
              value={draft.value}
              problems={problems}
              onChange={(path, next) => {
                const value = withValue(draft.value, path, next);
                change({ value: withRequiredObjects(form.fields, value) });
              }}
            />
            {form.leftOut > 0 && (
              <p className="hint">
                {form.leftOut} more fields are not shown; set them in the JSON.
              </p>
            )}
          </div>
          <Field label="Arguments as JSON" problem={draft.jsonProblem}>
            {(control) => (
              <textarea
                {...control}
                className="code"
                rows={linesShown(text, Math.min(16, Math.max(5, form.fields.length * 2 + 2)))}
                spellCheck={false}
                value={text}
                onChange={(event) => change(typedDraft(event.target.value, draft.value))}
              />
            )}
          </Field>
        </div>
      </Form>
      <CallOutcome tool={tool} ids={ids} call={call} sent={sent} attempt={attempt} />
    </>
  );
}

function CallOutcome(props: {
  tool: Tool;
  ids: ServerIds;
  call: ReturnType<typeof useCallTool>;
  sent: Arguments;
  attempt: number;
}) {
  const { tool, ids, call, sent, attempt } = props;
  const id = useId();
  return (
    <section aria-labelledby={`${id}-result`} className="result" aria-busy={call.isPending}>
      <h4 id={`${id}-result`}>Result</h4>
      {call.isPending && (
        <p className="loading" role="status">
          Waiting for the server…
        </p>
      )}
      {call.error !== null && <CallFailure error={call.error} ids={ids} />}
      {call.data !== undefined && (
        <>
          <CallResult result={call.data} />
          {widgetOfTool(tool) !== undefined && call.data.isError !== true && (
            <Suspense fallback={<p className="loading">Loading…</p>}>
              <PreviewOfWidget
                key={attempt}
                ids={ids}
                toolName={tool.name}
                parameters={sent}
                result={call.data}
              />
            </Suspense>
          )}
          <MakeCaseOfCall ids={ids} toolName={tool.name} parameters={sent} result={call.data} />
        </>
      )}
      {!call.isPending && call.error === null && call.data === undefined && (
        <p className="hint">Not called yet.</p>
      )}
    </section>
  );
}

function problemSentence(count: number): string | undefined {
  if (count === 0) return undefined;
  return `Not sent: ${count === 1 ? '1 argument is' : `${count} arguments are`} not right yet.`;
}

function typedDraft(typed: string, before: Arguments): Draft {
  const read = readArguments(typed);
  return read.arguments === undefined
    ? { value: before, typed, jsonProblem: read.problem }
    : { value: read.arguments, typed };
}

function MakeCaseOfCall(props: {
  ids: ServerIds;
  toolName: string;
  parameters: Json;
  result: OutputOf<'callTool'>;
}) {
  const { ids, toolName, parameters, result } = props;
  const { projectId, serverId } = ids;
  const server = useWholeList('listProjectServers', { projectId }).data?.find(
    ({ id }) => id === serverId,
  );
  if (server === undefined) return null;
  const call = { serverId, serverName: server.name, toolName, parameters, result };
  const expected = result.isError
    ? 'that the tool reports an error'
    : 'what it answered, by the first line of its text that says something';
  return (
    <div className="actions">
      <MakeCase
        projectId={projectId}
        title="Make a case of this call"
        source={{ body: (title) => caseOfCall(call, title), serverId }}
        intro={`The case makes this call again, without a model, and checks ${expected}. A suite that lacks this server is given it.`}
        name={{ start: `${toolName.slice(0, 150)} ${result.isError ? 'fails' : 'answers'}` }}
        serverIds={[serverId]}
      />
    </div>
  );
}
