import '../styles/run.css';
import '../styles/suite.css';
import { useParams } from '@tanstack/react-router';
import {
  useEvalCases,
  useEvalSuite,
  useEvalSuiteDetail,
  useEvalSuiteRuns,
} from '../data/eval-suites.ts';
import { CopyText } from '../parts/copy-text.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { ProjectCrumbs } from '../parts/project-crumbs.tsx';
import { Empty, QueryView } from '../parts/query-view.tsx';
import { CaseList } from '../parts/suite-page/case-list.tsx';
import { RunSuite } from '../parts/suite-page/run-suite.tsx';
import { RunTable } from '../parts/suite-page/run-table.tsx';
import { ScheduleLine } from '../parts/suite-page/schedule-line.tsx';

export function SuiteDetailPage() {
  const ids = useParams({ from: '/signed-in/projects/$projectId/suites/$suiteId' });
  const suite = useEvalSuite(ids);
  const detail = useEvalSuiteDetail(ids);
  const runs = useEvalSuiteRuns(ids);
  const cases = useEvalCases(ids);
  const mayRun = cases.data !== undefined && cases.data.length > 0;
  return (
    <PageFrame
      title={suite.data?.name ?? 'Suite'}
      crumbs={<ProjectCrumbs projectId={ids.projectId} section="evals" />}
    >
      <QueryView query={suite}>
        {() => (
          <>
            {mayRun && <RunSuite ids={ids} />}
            {detail.data !== undefined && <ScheduleLine suite={detail.data} />}
            <section aria-labelledby="runs">
              <h2 id="runs">Runs</h2>
              <QueryView query={runs}>
                {(all) =>
                  all.length > 0 ? (
                    <RunTable
                      runs={all}
                      more={{
                        isThere: runs.hasNextPage,
                        isBusy: runs.isFetchingNextPage,
                        load: () => void runs.fetchNextPage(),
                      }}
                    />
                  ) : (
                    <Empty title="No runs yet">
                      <p>Press Run, or start one from a terminal:</p>
                      <CopyText
                        block
                        text={`proofmark eval run ${ids.suiteId} --wait`}
                        label="Copy the command"
                      />
                    </Empty>
                  )
                }
              </QueryView>
            </section>
            <section aria-labelledby="cases">
              <h2 id="cases">Cases</h2>
              <QueryView query={cases}>
                {(all) =>
                  all.length > 0 ? (
                    <QueryView query={detail}>
                      {(known) => <CaseList ids={ids} cases={all} suite={known} />}
                    </QueryView>
                  ) : (
                    <p className="hint">
                      No case is written here: this suite is known by results that were reported.
                    </p>
                  )
                }
              </QueryView>
            </section>
          </>
        )}
      </QueryView>
    </PageFrame>
  );
}
