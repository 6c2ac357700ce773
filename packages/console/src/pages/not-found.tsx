import { Link } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';

export function NotFoundPage() {
  return (
    <Page title="Page not found" intro="There is no page at this address.">
      <p>
        <Link to="/projects">Go to the projects</Link> or read the{' '}
        <Link to="/reference">API reference</Link>.
      </p>
    </Page>
  );
}
