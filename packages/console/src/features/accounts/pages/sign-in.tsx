import type { Session } from '@proofmark/contract';
import { signInSentence } from '@proofmark/domain';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { CopyText } from '../../../kit/copy-text.tsx';
import { fieldProblems, formProblem } from '../../../kit/data/field-problems.ts';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { useConsoleSession, useRedeemSignInLink, useSignIn } from '../data/session.ts';
import { offerPasswordLater } from '../password-offer.tsx';
import { returnPath } from '../return-path.ts';
import { hasSignInToken, keepSignInToken, takeSignInToken } from '../sign-in-token.ts';

export function SignInPage() {
  const session = useConsoleSession();
  const search = useSearch({ from: '/sign-in' });
  const link = useSignInLink();
  if (link.isWaiting) {
    return (
      <PageFrame title="Sign in" width="slim">
        <p role="status">Signing in with your link…</p>
      </PageFrame>
    );
  }
  if (session.data?.signedIn && link.error === null) {
    return <GoBack to={returnPath(search.return)} />;
  }
  return (
    <PageFrame title="Sign in" width="slim">
      <div role="alert">
        {search.error !== undefined && (
          <p className="form-problem">{signInSentence(search.error)}</p>
        )}
        {link.error !== null && <p className="form-problem">{link.error.message}</p>}
      </div>
      <QueryView query={session}>
        {(data) =>
          data.signedIn ? (
            <StillSignedIn email={data.account.email} onContinue={link.forgetError} />
          ) : (
            <WaysIn session={data} onTry={link.forgetError} />
          )
        }
      </QueryView>
    </PageFrame>
  );
}

function GoBack(props: { to: string }) {
  const { history } = useRouter();
  useEffect(() => history.replace(props.to), [history, props.to]);
  return null;
}

function StillSignedIn(props: { email: string; onContinue: () => void }) {
  return (
    <>
      <p>You are still signed in as {props.email}.</p>
      <button type="button" onClick={props.onContinue}>
        Continue
      </button>
    </>
  );
}

function WaysIn(props: { session: Session; onTry: () => void }) {
  return (
    <>
      <PasswordForm onTry={props.onTry} />
      {props.session.methods.oidc && (
        <div className="other-way">
          <p className="hint">or</p>
          <a className="button" href="/console/oidc/start">
            Sign in with your organization
          </a>
        </div>
      )}
      <p className="hint">
        No password yet? Use the one-time link that the service printed at its start. Whoever runs
        the service makes another with:
      </p>
      <CopyText text="proofmark admin create-link you@example.com" label="Copy command" />
    </>
  );
}

function PasswordForm(props: { onTry: () => void }) {
  const signIn = useSignIn();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const problems = fieldProblems(signIn.error);
  const submit = () => {
    if (signIn.isPending) return;
    props.onTry();
    signIn.mutate({ email, password });
  };
  return (
    <Form
      label="Sign in"
      problem={formProblem(signIn.error, ['email', 'password'])}
      attempt={signIn.error}
      onSubmit={submit}
      buttons={
        <button type="submit" className="primary" disabled={signIn.isPending}>
          Sign in
        </button>
      }
    >
      <Field label="E-mail" problem={problems['email']}>
        {(control) => (
          <input
            {...control}
            type="email"
            autoComplete="username"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      <Field label="Password" problem={problems['password']}>
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
    </Form>
  );
}

/**
 * Signs in with the token in the address, also if the user pastes another link into the open page.
 */
function useSignInLink() {
  const { mutate, isPending, error, reset } = useRedeemSignInLink();
  const [isHeld, setHeld] = useState(hasSignInToken);
  useEffect(() => {
    const redeem = () => {
      keepSignInToken(window);
      const token = takeSignInToken();
      setHeld(false);
      if (token === undefined) return;
      mutate(token, { onSuccess: (session) => session.hasPassword || offerPasswordLater() });
    };
    redeem();
    window.addEventListener('hashchange', redeem);
    return () => window.removeEventListener('hashchange', redeem);
  }, [mutate]);
  return { isWaiting: isHeld || isPending, error, forgetError: reset };
}
