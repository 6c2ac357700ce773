import { Link } from '@tanstack/react-router';
import { PageFrame } from '../parts/page-frame.tsx';

export function NotFoundPage() {
  return (
    <PageFrame title="Page not found" intro="There is no page at this address.">
      <p>
        <Link to="/projects">Go to the projects</Link> or read the{' '}
        <Link to="/reference">API reference</Link>.
      </p>
    </PageFrame>
  );
}
