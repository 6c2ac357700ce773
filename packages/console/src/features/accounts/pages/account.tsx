import type { Session } from '@proofmark/contract';
import { Fact } from '../../../kit/fact-list.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { InstantText } from '../../../kit/instant-text.tsx';
import { useConsoleSession, useSignOut } from '../data/session.ts';
import { PasswordForm } from '../password-form.tsx';
import { SettingsSections } from '../settings-sections.tsx';

export function AccountPage() {
  const { data: session } = useConsoleSession();
  return session?.signedIn ? <Account session={session} /> : null;
}

function Account(props: { session: Extract<Session, { signedIn: true }> }) {
  const signOut = useSignOut();
  const { account, hasPassword } = props.session;
  return (
    <PageFrame title="Account" above={<SettingsSections />}>
      <dl className="facts">
        <Fact name="E-mail">{account.email}</Fact>
        <Fact name="Name">{account.name === '' ? 'not given' : account.name}</Fact>
        <Fact name="Here since">
          <InstantText atMs={account.createdAt} />
        </Fact>
      </dl>
      <div className="two-columns">
        <section aria-labelledby="password">
          <h2 id="password">{hasPassword ? 'Change password' : 'Set a password'}</h2>
          <PasswordForm email={account.email} hasPassword={hasPassword} />
        </section>
        <section aria-labelledby="leave">
          <h2 id="leave">Sign out</h2>
          <p className="hint">Ends this session. Your API keys keep working.</p>
          <div role="alert">
            {signOut.error !== null && <p className="form-problem">{signOut.error.message}</p>}
          </div>
          <div className="actions">
            <button type="button" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
              Sign out
            </button>
          </div>
        </section>
      </div>
    </PageFrame>
  );
}
