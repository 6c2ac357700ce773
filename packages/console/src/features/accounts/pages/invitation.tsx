import { ApiError } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { FactList } from '../../../kit/fact-list.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { InstantText } from '../../../kit/instant-text.tsx';
import {
  useAcceptInvitation,
  useConsoleSession,
  useInvitation,
  useSignOut,
} from '../data/session.ts';
import { invitationStep } from '../invitation-step.ts';
import { offerPasswordLater } from '../password-offer.tsx';
import { organizationRoleWords } from '../role-words.ts';
import { dropInvitation, heldInvitation, keepSignInToken } from '../sign-in-token.ts';

export function InvitationPage() {
  const { data: session } = useConsoleSession();
  const token = useInvitationToken();
  const invitation = useInvitation(token);
  const accept = useAcceptInvitation();
  const signOut = useSignOut();
  const navigate = useNavigate();
  if (token === undefined) {
    return (
      <PageFrame title="Invitation" width="slim">
        <p>Open the whole link that you were sent; this address alone says nothing.</p>
      </PageFrame>
    );
  }
  const submit = () =>
    accept.mutate(token, {
      onSuccess: (now) => {
        dropInvitation();
        if (!now.hasPassword) offerPasswordLater();
        void navigate({ to: '/projects' });
      },
    });
  const step = invitationStep(reasonOf(accept.error), session?.signedIn === true);
  const problem = accept.error ?? invitation.error;
  const leave = () =>
    signOut.mutate(undefined, {
      onSuccess: () => {
        if (reasonOf(accept.error) === 'SIGN_OUT_FIRST') accept.reset();
      },
    });
  return (
    <PageFrame title="Invitation" width="slim">
      {invitation.data !== undefined && <InvitationFacts invitation={invitation.data} />}
      {session?.signedIn && <p className="hint">You are signed in as {session.account.email}.</p>}
      <div role="alert">
        {problem !== null && <p className="form-problem">{problem.message}</p>}
      </div>
      <div className="actions">
        {step === 'signIn' && (
          <Link to="/sign-in" search={{ return: '/invitation' }} className="button primary">
            Sign in
          </Link>
        )}
        {step === 'signOut' && (
          <button type="button" className="primary" disabled={signOut.isPending} onClick={leave}>
            Sign out
          </button>
        )}
        {step === 'accept' && invitation.data !== undefined && (
          <button type="button" className="primary" disabled={accept.isPending} onClick={submit}>
            Accept invitation
          </button>
        )}
      </div>
    </PageFrame>
  );
}

function InvitationFacts({ invitation }: { invitation: OutputOf<'readInvitation'> }) {
  const { organizationName, email, role, expiresAt } = invitation;
  const facts = [
    ['Organization', organizationName],
    ['E-mail', email],
    ['Role', organizationRoleWords[role]],
    ['Link expires', <InstantText key="until" atMs={expiresAt} />],
  ] as const;
  return (
    <>
      <p className="intro">You are invited to work with others here.</p>
      <FactList facts={facts} />
    </>
  );
}

function reasonOf(error: Error | null): unknown {
  return error instanceof ApiError ? error.details['reason'] : undefined;
}

/** Reads the invitation token a second time if the user pastes another link into the open page. */
function useInvitationToken(): string | undefined {
  const [token, setToken] = useState(heldInvitation);
  useEffect(() => {
    const read = () => {
      keepSignInToken(window);
      setToken(heldInvitation());
    };
    read();
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return token;
}
