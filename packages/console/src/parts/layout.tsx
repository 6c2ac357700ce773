/** What stands around every page. */
import { Link, Outlet } from '@tanstack/react-router';
import { useConsoleSession } from '../data/session.ts';
import { Keyboard } from './keyboard.tsx';
import { Notice } from './notice.tsx';

const pages = [
  { to: '/', name: 'Home' },
  { to: '/projects', name: 'Projects' },
  { to: '/api-keys', name: 'API keys' },
  { to: '/organizations', name: 'Organization' },
  { to: '/reference', name: 'Reference' },
  { to: '/health', name: 'Health' },
  { to: '/account', name: 'Account' },
] as const;

export function Layout() {
  const { data: session } = useConsoleSession();
  const shown = pages.filter(({ to }) => {
    if (!session?.signedIn) return to === '/reference';
    return to !== '/health' || session.operatesInstallation;
  });
  return (
    <>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header>
        <Link to="/" className="brand">
          Proofmark
        </Link>
        <nav aria-label="Main">
          {shown.map(({ to, name }) => (
            <Link key={to} to={to} activeOptions={{ exact: to === '/' }}>
              {name}
            </Link>
          ))}
          {session?.signedIn === false && <Link to="/sign-in">Sign in</Link>}
        </nav>
        <div className="header-end">
          {session?.signedIn && <span className="wide-only">{session.account.email}</span>}
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
