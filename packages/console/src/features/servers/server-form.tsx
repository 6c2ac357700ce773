import type { ProjectServer } from '@proofmark/contract';
import { defaultMaxMessageMiB, mostMaxMessageMiB } from '@proofmark/domain';
import { type ReactNode, useState } from 'react';
import {
  type FieldProblems,
  fieldProblems,
  formProblem,
  problemInside,
} from '../../kit/data/field-problems.ts';
import { Checkbox, Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { droppedCredentials } from './dropped-credentials.ts';
import { HeaderFields } from './header-fields.tsx';
import { OAuthFields } from './oauth-fields.tsx';
import type { DraftOutcome, ServerDraft } from './server-draft.ts';

const fieldNames = [
  'name',
  'url',
  'timeout',
  'maxMessageMiB',
  'headers',
  'clientId',
  'clientSecret',
  'oauthScopes',
];

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one form, its fields in the order of the page.
export function ServerForm<Body>(props: {
  label: string;
  start: ServerDraft;
  stored?: ProjectServer;
  action: string;
  toBody: (draft: ServerDraft) => DraftOutcome<Body>;
  busy: boolean;
  error: Error | null;
  onSave: (body: Body, draft: ServerDraft) => void;
  otherButtons?: ReactNode;
}) {
  const [draft, setDraft] = useState(props.start);
  const [ownProblems, setOwnProblems] = useState<FieldProblems>();
  const problems = ownProblems ?? fieldProblems(props.error);
  const change = (part: Partial<ServerDraft>) => setDraft({ ...draft, ...part });
  const dropped = props.stored === undefined ? [] : droppedCredentials(draft, props.stored);
  const submit = () => {
    if (props.busy) return;
    const outcome = props.toBody(draft);
    setOwnProblems('problems' in outcome ? outcome.problems : undefined);
    if ('body' in outcome) props.onSave(outcome.body, draft);
  };
  return (
    <Form
      label={props.label}
      problem={ownProblems === undefined ? formProblem(props.error, fieldNames) : undefined}
      attempt={ownProblems ?? props.error}
      onSubmit={submit}
      buttons={
        <>
          <button type="submit" className="primary" disabled={props.busy}>
            {props.action}
          </button>
          {props.otherButtons}
        </>
      }
    >
      <Field label="Name" problem={problems['name']}>
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            value={draft.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Address"
        hint="For example https://mcp.example.com/mcp"
        problem={problems['url']}
      >
        {(control) => (
          <input
            {...control}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            className="code"
            value={draft.url}
            onChange={(event) => change({ url: event.target.value })}
          />
        )}
      </Field>
      <div role="status">
        {dropped.length > 0 && (
          <p className="warning">
            This address is on another origin. Saving drops the stored {dropped.join(' and ')}.
          </p>
        )}
      </div>
      <Checkbox
        label="Enabled"
        hint="A server that is switched off is kept, but not tested."
        checked={draft.enabled}
        onChange={(enabled) => change({ enabled })}
      />
      <Field
        label="Timeout in milliseconds"
        hint="At most 600000. Empty: the default."
        problem={problems['timeout']}
      >
        {(control) => (
          <input
            {...control}
            inputMode="numeric"
            autoComplete="off"
            className="short"
            value={draft.timeout}
            onChange={(event) => change({ timeout: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Largest message in MiB"
        hint={`The most that is read of one message of the server. At most ${mostMaxMessageMiB}. Empty: the default, ${defaultMaxMessageMiB}.`}
        problem={problems['maxMessageMiB']}
      >
        {(control) => (
          <input
            {...control}
            inputMode="numeric"
            autoComplete="off"
            className="short"
            value={draft.maxMessageMiB}
            onChange={(event) => change({ maxMessageMiB: event.target.value })}
          />
        )}
      </Field>
      <HeaderFields
        storedNames={props.stored?.headerNames ?? []}
        headers={draft.headers}
        problems={problems}
        onChange={(headers) => change({ headers })}
      />
      <OAuthFields
        draft={draft}
        hasStoredSecret={props.stored?.hasClientSecret ?? false}
        problems={{
          clientId: problems['clientId'],
          clientSecret: problems['clientSecret'],
          scopes: problemInside(problems, 'oauthScopes'),
        }}
        onChange={change}
      />
    </Form>
  );
}
