/**
 * Actions on a member's account. They take effect in every organization to which the account
 * belongs.
 */
import type { Member, Organization } from '@proofmark/contract';
import { useState } from 'react';
import { Confirm } from '../../kit/confirm.tsx';
import { useChange } from '../../kit/data/operations.ts';
import { notify } from '../../kit/notice.tsx';
import { OneTimeLinkShown } from './one-time-link-shown.tsx';

type Asked = 'sessions' | 'password' | 'disable' | 'enable';

export function MemberAccount(props: { organization: Organization; member: Member }) {
  const { organization, member } = props;
  const ids = { organizationId: organization.id, accountId: member.accountId };
  const endSessions = useChange('endMemberSessions', ids);
  const resetPassword = useChange('resetMemberPassword', ids, { gcTime: 0 });
  const setDisabled = useChange('setMemberDisabled', (disabled: boolean) => ({
    ...ids,
    body: { disabled },
  }));
  const [asked, setAsked] = useState<Asked>();
  const close = () => {
    setAsked(undefined);
    for (const change of [endSessions, resetPassword, setDisabled]) change.reset();
  };
  const done = (words: string) => () => {
    notify(words);
    close();
  };
  const { email } = member;
  const isDisabled = member.disabledAt !== null;
  return (
    <section aria-labelledby="account">
      <h2 id="account">Account</h2>
      <p className="hint">
        This is about the account as a whole. Where it also belongs to an organization that is not
        yours, only the operator can do it.
      </p>
      <div className="actions">
        <button type="button" onClick={() => setAsked('sessions')}>
          End sessions
        </button>
        {!isDisabled && (
          <button type="button" onClick={() => setAsked('password')}>
            Reset password
          </button>
        )}
        <button
          type="button"
          className={isDisabled ? undefined : 'danger'}
          onClick={() => setAsked(isDisabled ? 'enable' : 'disable')}
        >
          {isDisabled ? 'Enable account' : 'Disable account'}
        </button>
      </div>
      {asked === 'sessions' && (
        <Confirm
          title={`End all sessions of ${email}?`}
          action="End sessions"
          busy={endSessions.isPending}
          error={endSessions.error}
          onClose={close}
          onConfirm={() =>
            endSessions.mutate(undefined, { onSuccess: done(`Sessions of ${email} ended.`) })
          }
        >
          <p>
            They are signed out everywhere at once and can sign in again. API keys keep working.
          </p>
        </Confirm>
      )}
      {asked === 'password' && resetPassword.data === undefined && (
        <Confirm
          title={`Reset the password of ${email}?`}
          action="Reset password"
          busy={resetPassword.isPending}
          error={resetPassword.error}
          onClose={close}
          onConfirm={() => resetPassword.mutate(undefined)}
        >
          <p>
            The password and all sessions end at once. You get a link to send to them, with which
            they sign in and set another. API keys keep working.
          </p>
        </Confirm>
      )}
      {resetPassword.data !== undefined && (
        <OneTimeLinkShown title={`Link for ${email}`} link={resetPassword.data} onClose={close}>
          Anyone who opens this link is signed in as {email}.
        </OneTimeLinkShown>
      )}
      {(asked === 'disable' || asked === 'enable') && (
        <ConfirmDisabled
          asked={asked}
          email={email}
          busy={setDisabled.isPending}
          error={setDisabled.error}
          onClose={close}
          onConfirm={() =>
            setDisabled.mutate(asked === 'disable', { onSuccess: done(`Account ${asked}d.`) })
          }
        />
      )}
    </section>
  );
}

function ConfirmDisabled(props: {
  asked: 'disable' | 'enable';
  email: string;
  busy: boolean;
  error: Error | null;
  onClose: () => void;
  onConfirm: () => void;
}) {
  const { asked, email, ...confirm } = props;
  return (
    <Confirm
      title={asked === 'disable' ? `Disable ${email}?` : `Enable ${email}?`}
      action={asked === 'disable' ? 'Disable account' : 'Enable account'}
      isHarmless={asked === 'enable'}
      {...confirm}
    >
      {asked === 'disable' ? (
        <p>
          They cannot sign in, their sessions end, and none of their keys works. They stay a member,
          and you can enable the account again.
        </p>
      ) : (
        <p>They can sign in again, and their keys work again.</p>
      )}
    </Confirm>
  );
}
