/**
 * The dialog that creates an API key and shows it once. While the key is shown, only the dialog's
 * button closes it.
 */
import type { Organization } from '@proofmark/contract';
import { type KeyScope, keyScopes, keyScopeWords } from '@proofmark/domain';
import { useState } from 'react';
import { CopyText } from '../../kit/copy-text.tsx';
import { fieldProblems, formProblem } from '../../kit/data/field-problems.ts';
import { useChange, useWholeList } from '../../kit/data/operations.ts';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Modal } from '../../kit/modal.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { OrganizationField } from './organization-field.tsx';

export function CreateApiKey(props: { onClose: () => void }) {
  const organizations = useWholeList('listOrganizations', {});
  const [key, setKey] = useState<string>();
  if (key !== undefined) {
    return (
      <Modal key="made" title="Your new API key" stay onClose={props.onClose}>
        <NewKey apiKey={key} onClose={props.onClose} />
      </Modal>
    );
  }
  return (
    <Modal key="making" title="Create an API key" onClose={props.onClose}>
      <QueryView query={organizations}>
        {(all) => <KeyForm organizations={all} onMade={setKey} onClose={props.onClose} />}
      </QueryView>
    </Modal>
  );
}

function KeyForm(props: {
  organizations: readonly Organization[];
  onMade: (key: string) => void;
  onClose: () => void;
}) {
  const create = useChange('createApiKey', {}, { gcTime: 0 });
  const [name, setName] = useState('');
  const [organizationId, setOrganizationId] = useState(props.organizations[0]?.id ?? '');
  const [scope, setScope] = useState<KeyScope>('full');
  const [days, setDays] = useState('90');
  const problems = fieldProblems(create.error);
  const submit = () => {
    if (create.isPending) return;
    const expiresInDays = days === '' ? null : Number(days);
    const body = { name, organizationId, scope, expiresInDays };
    create.mutate(body, { onSuccess: (made) => props.onMade(made.key) });
  };
  return (
    <Form
      label="Create an API key"
      problem={formProblem(create.error, ['name', 'organizationId', 'scope', 'expiresInDays'])}
      attempt={create.error}
      onSubmit={submit}
      buttons={
        <>
          <button type="submit" className="primary" disabled={create.isPending}>
            Create key
          </button>
          <button type="button" onClick={props.onClose}>
            Cancel
          </button>
        </>
      }
    >
      <Field label="Name" hint="What will use it, for example CI." problem={problems['name']}>
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <OrganizationField
        organizations={props.organizations}
        value={organizationId}
        problem={problems['organizationId']}
        onChange={setOrganizationId}
      />
      <Field
        label="Scope"
        hint={`It may be used for ${keyScopeWords[scope]}.`}
        problem={problems['scope']}
      >
        {(control) => (
          <select
            {...control}
            value={scope}
            onChange={(event) => setScope(event.target.value as KeyScope)}
          >
            {keyScopes.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Expires" problem={problems['expiresInDays']}>
        {(control) => (
          <select {...control} value={days} onChange={(event) => setDays(event.target.value)}>
            {expiries.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
    </Form>
  );
}

const expiries = [
  ['7', 'in 7 days'],
  ['30', 'in 30 days'],
  ['90', 'in 90 days'],
  ['365', 'in a year'],
  ['', 'never'],
] as const;

function NewKey(props: { apiKey: string; onClose: () => void }) {
  const url = `${window.location.origin}/api/v1/me`;
  return (
    <>
      <p className="warning">Copy it now. It cannot be shown again.</p>
      <CopyText text={props.apiKey} label="Copy key" />
      <p className="hint">Try it:</p>
      <CopyText
        block
        text={`curl -H "Authorization: Bearer ${props.apiKey}" ${url}`}
        label="Copy command"
      />
      <div className="actions">
        <button type="button" className="primary" onClick={props.onClose}>
          Done
        </button>
      </div>
    </>
  );
}
