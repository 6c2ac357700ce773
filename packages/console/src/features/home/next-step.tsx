import { Link, useLocation } from '@tanstack/react-router';
import { projectOfPath } from '../../kit/frame/project-of-path.ts';
import { useHomeRead } from './data/home.ts';

export function NextStep() {
  const pathname = useLocation({ select: (location) => location.pathname });
  const home = useHomeRead();
  const projectId = projectOfPath(pathname);
  // On the first start, the home page lists only runs of the sample. A run that is not listed was
  // started by the user after this response was cached.
  const isOfSample = home?.latest.items.some(({ runId }) =>
    pathname.includes(`/runs/${runId}/trials/`),
  );
  if (home?.firstStart !== true || !isOfSample || projectId === undefined) return null;
  return (
    <aside className="banner" aria-label="Next step">
      <p>
        This is a case of the sample. When you have seen where it stops, test a server of your own.
      </p>
      <div className="actions">
        <Link to="/projects/$projectId/servers/new" params={{ projectId }} className="button small">
          Save your server
        </Link>
      </div>
    </aside>
  );
}
