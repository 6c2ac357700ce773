import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useConsoleSession } from '../features/accounts/index.ts';
import { Notice } from '../kit/notice.tsx';
import { Keyboard } from './keyboard.tsx';

const pages = [
  { to: '/', name: 'Home' },
  { to: '/projects', name: 'Projects' },
  { to: '/organizations', name: 'People and settings' },
  { to: '/reference', name: 'Reference' },
] as const;
/** Settings pages outside an organization. The navigation shows them under Organizations. */
const otherSettings = ['/api-keys', '/account', '/health'];

export function Layout() {
  const { data: session } = useConsoleSession();
  return (
    <>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header>
        <Link to="/" className="brand">
          Proofmark
        </Link>
        <MainMenu isSignedIn={session?.signedIn} />
        <div className="header-end">
          {session?.signedIn && <span className="header-account">{session.account.email}</span>}
          <Keyboard isSignedIn={session?.signedIn === true} />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Notice />
    </>
  );
}

/** On a phone, the links are behind a button, so that the header stays one line. */
function MainMenu({ isSignedIn }: { isSignedIn: boolean | undefined }) {
  const { pathname } = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when another page opens.
  useEffect(() => setIsOpen(false), [pathname]);
  useEffect(() => {
    if (!isOpen) return;
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      setIsOpen(false);
      opener.current?.focus();
    };
    const onLeave = ({ target }: Event) => {
      if (!place.current?.contains(target as Node)) setIsOpen(false);
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onLeave);
    document.addEventListener('focusin', onLeave);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onLeave);
      document.removeEventListener('focusin', onLeave);
    };
  }, [isOpen]);
  const isAmong = (to: string) => to === '/organizations' && otherSettings.includes(pathname);
  return (
    <div className="main-menu" data-open={isOpen} ref={place}>
      <button
        ref={opener}
        type="button"
        className="small menu-button"
        aria-expanded={isOpen}
        aria-controls="main-menu"
        onClick={() => setIsOpen(!isOpen)}
      >
        Menu
      </button>
      <nav id="main-menu" aria-label="Main">
        {pages
          .filter(({ to }) => isSignedIn || to === '/reference')
          .map(({ to, name }) => (
            <Link
              key={to}
              to={to}
              data-name={name}
              activeOptions={{ exact: to === '/' }}
              onClick={() => setIsOpen(false)}
              {...(isAmong(to) && { 'aria-current': true })}
            >
              {name}
            </Link>
          ))}
        {isSignedIn === false && <Link to="/sign-in">Sign in</Link>}
      </nav>
    </div>
  );
}
