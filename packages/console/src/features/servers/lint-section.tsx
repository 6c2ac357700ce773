/** What the tools of a server leave a model in doubt about, as the server lists them now. */
import { readOnce, useOperation } from '../../kit/data/operations.ts';
import type { ServerIds } from '../../kit/data/server-lists.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { LintFindings } from '../insights/index.ts';

export function LintSection({ ids }: { ids: ServerIds }) {
  const lint = useOperation('lintServer', { ...ids, body: {} }, readOnce);
  return (
    <section aria-labelledby="lint">
      <h2 id="lint">What its tools leave in doubt</h2>
      <p className="hint">
        Names, descriptions and schemas as the server lists them now, with the failing trials of its
        newest completed run that they may explain.
      </p>
      <p>
        <button type="button" disabled={lint.isFetching} onClick={() => void lint.refetch()}>
          Check again
        </button>
      </p>
      <QueryView query={lint}>
        {(report) => <LintFindings projectId={ids.projectId} report={report} />}
      </QueryView>
    </section>
  );
}
