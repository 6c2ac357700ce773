/**
 * Offers to set a password after a sign-in by one-time link. A user without a password needs
 * another link for the next sign-in. After "no", the offer returns only after another sign-in by
 * link.
 */
import type { Session } from '@proofmark/contract';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';

export function PasswordOffer(props: { session: Extract<Session, { signedIn: true }> }) {
  const [open, setOpen] = useState(() => sessionStorage.getItem(storageKey) !== null);
  const onAccountPage = useLocation({ select: (location) => location.pathname === '/account' });
  if (!open || props.session.hasPassword || onAccountPage) return null;
  const decline = () => {
    sessionStorage.removeItem(storageKey);
    setOpen(false);
  };
  return (
    <aside className="banner" aria-label="Password">
      <p>You signed in with a one-time link. Set a password to sign in without one next time.</p>
      <div className="actions">
        <Link to="/account" className="button small">
          Set a password
        </Link>
        <button type="button" className="small" onClick={decline}>
          Not now
        </button>
      </div>
    </aside>
  );
}

export function offerPasswordLater(): void {
  sessionStorage.setItem(storageKey, 'yes');
}

const storageKey = 'proofmark.offer-password';
