import { Link } from '@tanstack/react-router';
import { PageFrame } from '../../kit/frame/page-frame.tsx';

export function NotFoundPage() {
  return (
    <PageFrame title="Page not found" intro="There is no page at this address.">
      <p>
        <Link to="/">Go home</Link>, to the <Link to="/projects">projects</Link>, or read the{' '}
        <Link to="/reference">API reference</Link>.
      </p>
    </PageFrame>
  );
}
