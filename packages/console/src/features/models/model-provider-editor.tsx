/** The key can be set but never read back, so the form shows only whether a key is set. */
import type { BodyInputOf, ModelProviderEntry } from '@proofmark/contract';
import { type ModelProviderKind, modelProviderKinds } from '@proofmark/domain';
import { useState } from 'react';
import { fieldProblems, formProblem, problemInside } from '../../kit/data/field-problems.ts';
import { useChange } from '../../kit/data/operations.ts';
import { Checkbox, Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Modal } from '../../kit/modal.tsx';
import { notify } from '../../kit/notice.tsx';
import { type ProviderDraft, providerDraftOf, requestOf } from './provider-draft.ts';
import { providerKindWords } from './provider-words.ts';

const fields = ['params.providerName', 'kind', 'baseUrl', 'apiKey', 'models', 'requestsAtOnce'];

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one form, its fields in the order of the dialog.
export function ModelProviderEditor(props: {
  organizationId: string;
  entry: ModelProviderEntry | undefined;
  onClose: () => void;
}) {
  const { entry, onClose } = props;
  const set = useChange(
    'setModelProvider',
    (wanted: { providerName: string; body: BodyInputOf<'setModelProvider'> }) => ({
      organizationId: props.organizationId,
      ...wanted,
    }),
    { gcTime: 0 },
  );
  const [draft, setDraft] = useState(() => providerDraftOf(entry));
  const [badLine, setBadLine] = useState<string>();
  const put = (change: Partial<ProviderDraft>) => setDraft({ ...draft, ...change });
  const { name } = draft;
  const submit = () => {
    if (set.isPending) return;
    const request = requestOf(draft, entry);
    setBadLine('badLine' in request ? request.badLine : undefined);
    if ('badLine' in request) return;
    const onSuccess = () => {
      notify(`Provider ${name} saved.`);
      onClose();
    };
    set.mutate({ providerName: name.trim(), body: request.body }, { onSuccess });
  };
  const problems = fieldProblems(set.error);
  const title = entry === undefined ? 'Add a provider' : `Edit ${entry.name}`;
  return (
    <Modal title={title} onClose={onClose}>
      <Form
        label={title}
        problem={formProblem(set.error, fields)}
        attempt={badLine ?? set.error}
        onSubmit={submit}
        buttons={
          <>
            <button
              type="submit"
              className="primary"
              disabled={set.isPending || name.trim() === ''}
            >
              Save provider
            </button>
            <button type="button" onClick={onClose}>
              Cancel
            </button>
          </>
        }
      >
        <Field
          label="Name"
          hint="The part of a model id before the slash."
          problem={problems['params.providerName']}
        >
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              spellCheck={false}
              disabled={entry !== undefined}
              value={name}
              onChange={(event) => put({ name: event.target.value })}
            />
          )}
        </Field>
        <Field label="Kind" problem={problems['kind']}>
          {(control) => (
            <select
              {...control}
              value={draft.kind}
              onChange={(event) => put({ kind: event.target.value as ModelProviderKind })}
            >
              {modelProviderKinds.map((kind) => (
                <option key={kind} value={kind}>
                  {providerKindWords[kind]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <AccessFields draft={draft} entry={entry} problems={problems} onChange={put} />
        <Field
          label="Models"
          hint="One on a line. With prices in dollars for a million tokens: large, 2, 8"
          problem={
            badLine === undefined
              ? problemInside(problems, 'models')
              : `This line cannot be read: ${badLine}`
          }
        >
          {(control) => (
            <textarea
              {...control}
              rows={4}
              spellCheck={false}
              value={draft.models}
              onChange={(event) => put({ models: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Requests at once"
          hint="Over all processes. Empty for the default."
          problem={problems['requestsAtOnce']}
        >
          {(control) => (
            <input
              {...control}
              className="short"
              inputMode="numeric"
              autoComplete="off"
              value={draft.requestsAtOnce}
              onChange={(event) => put({ requestsAtOnce: event.target.value })}
            />
          )}
        </Field>
      </Form>
    </Modal>
  );
}

function AccessFields(props: {
  draft: ProviderDraft;
  entry: ModelProviderEntry | undefined;
  problems: Readonly<Record<string, string>>;
  onChange: (change: Partial<ProviderDraft>) => void;
}) {
  const { draft, entry, problems, onChange } = props;
  const isSet = entry?.hasKey === true;
  return (
    <>
      <Field
        label="Address"
        hint="Empty for the address of the kind. Moved to another server, the provider loses its key."
        problem={problems['baseUrl']}
      >
        {(control) => (
          <input
            {...control}
            className="code"
            autoComplete="off"
            spellCheck={false}
            value={draft.baseUrl}
            onChange={(event) => onChange({ baseUrl: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Key"
        hint={isSet ? 'A key is set. Write another to replace it.' : 'It cannot be read again.'}
        problem={problems['apiKey']}
      >
        {(control) => (
          <input
            {...control}
            type="password"
            className="code"
            autoComplete="off"
            disabled={draft.removesKey}
            value={draft.apiKey}
            onChange={(event) => onChange({ apiKey: event.target.value })}
          />
        )}
      </Field>
      {isSet && (
        <Checkbox
          label="Take the key away"
          checked={draft.removesKey}
          onChange={(removesKey) => onChange({ removesKey, ...(removesKey && { apiKey: '' }) })}
        />
      )}
    </>
  );
}
