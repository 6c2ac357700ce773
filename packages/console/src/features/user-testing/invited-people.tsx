/** The link of an invitation is shown only here, and only once. */
import { useState } from 'react';
import { CopyText } from '../../kit/copy-text.tsx';
import { keyOf } from '../../kit/data/address-key.ts';
import { useChange, useOperation } from '../../kit/data/operations.ts';
import { Checkbox, Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { InstantText } from '../../kit/instant-text.tsx';
import { notify } from '../../kit/notice.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import type { ScenarioIds } from './data/user-testing.ts';

export function InvitedPeople({ ids }: { ids: ScenarioIds }) {
  const [email, setEmail] = useState('');
  const [sendInviteEmail, setSend] = useState(false);
  const invite = useChange('upsertScenarioMember', ids, {
    readAgain: [keyOf('listScenarioMembers', ids)],
  });
  const invited = invite.data;
  const onSubmit = () =>
    invite.mutate({ email, sendInviteEmail }, { onSuccess: () => setEmail('') });
  return (
    <>
      <h3>Invited people</h3>
      <List ids={ids} />
      <Form
        label="Invite somebody"
        problem={invite.error?.message}
        attempt={invite.error}
        onSubmit={onSubmit}
        buttons={
          <button type="submit" disabled={invite.isPending || email.trim() === ''}>
            Invite
          </button>
        }
      >
        <Field label="E-mail address">
          {(control) => (
            <input
              {...control}
              type="email"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Checkbox
          label="Send them a mail"
          hint="Where the operator set up mail; the link is shown here in any case."
          checked={sendInviteEmail}
          onChange={setSend}
        />
      </Form>
      {invited && (
        <div className="panel" role="status">
          <p>
            {invited.invited ? 'A mail went to ' : 'Send this link to '}
            <bdi>{invited.email}</bdi>. It works once, for seven days, and is not shown again.
          </p>
          <CopyText text={invited.inviteUrl} label="Copy the invitation" />
        </div>
      )}
    </>
  );
}

function List({ ids }: { ids: ScenarioIds }) {
  const remove = useChange(
    'removeScenarioMember',
    (memberIdOrEmail: string) => ({ ...ids, memberIdOrEmail }),
    { readAgain: [keyOf('listScenarioMembers', ids)] },
  );
  const onRemove = (id: string, email: string) =>
    remove.mutate(id, {
      onSuccess: ({ stillReachable }) =>
        notify(
          stillReachable
            ? `Removed ${email}; anybody with the link still gets in.`
            : `Removed ${email}.`,
        ),
    });
  return (
    <QueryView query={useOperation('listScenarioMembers', ids)}>
      {({ items }) =>
        items.length === 0 ? (
          <p className="hint">Nobody is invited.</p>
        ) : (
          <>
            <ul className="invited">
              {items.map(({ id, email, invitedAt, acceptedAt }) => (
                <li key={id}>
                  <span>
                    <bdi>{email}</bdi>{' '}
                    <span className="hint">
                      {acceptedAt === null ? 'invited ' : 'came '}
                      <InstantText atMs={acceptedAt ?? invitedAt} />
                    </span>
                  </span>
                  <button
                    type="button"
                    className="small"
                    aria-label={`Remove ${email}`}
                    disabled={remove.isPending}
                    onClick={() => onRemove(id, email)}
                  >
                    Remove
                  </button>
                </li>
              ))}
            </ul>
            <div role="alert">
              {remove.error !== null && <p className="form-problem">{remove.error.message}</p>}
            </div>
          </>
        )
      }
    </QueryView>
  );
}
