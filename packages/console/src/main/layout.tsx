import { Link, Outlet, useLocation } from '@tanstack/react-router';
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
  const { pathname } = useLocation();
  const shown = pages.filter(({ to }) => session?.signedIn || to === '/reference');
  const isAmong = (to: string) => to === '/organizations' && otherSettings.includes(pathname);
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
            <Link
              key={to}
              to={to}
              data-name={name}
              activeOptions={{ exact: to === '/' }}
              {...(isAmong(to) && { 'aria-current': true })}
            >
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
