import '../../../kit/styles/run.css';
import '../../../kit/styles/suite.css';
import type { EvalCase } from '@proofmark/contract';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CopyText } from '../../../kit/copy-text.tsx';
import { useChange, useOperation, usePages, useWholeList } from '../../../kit/data/operations.ts';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import { notify } from '../../../kit/notice.tsx';
import { Empty, QueryView } from '../../../kit/query-view.tsx';
import { saveFile } from '../../../kit/save-file.ts';
import { type SuiteIds, useEvalSuite } from '../data/eval-suites.ts';
import { CaseList } from '../suites/case-list.tsx';
import { PassRateChart } from '../suites/pass-rate-chart.tsx';
import { PlanPanel } from '../suites/plan-panel.tsx';
import { RunSuite } from '../suites/run-suite.tsx';
import { RunTable } from '../suites/run-table.tsx';
import { ScheduleLine } from '../suites/schedule-line.tsx';
import { SuiteQuarantine } from '../suites/suite-quarantine.tsx';

export function SuiteDetailPage(props: {
  /** Renders the mutations of the suite. Called only if the suite has cases. */
  mutations: (ids: SuiteIds, cases: readonly EvalCase[]) => ReactNode;
}) {
  const ids = useParams({ from: '/signed-in/projects/$projectId/suites/$suiteId' });
  const suite = useEvalSuite(ids);
  const detail = useOperation('getEvalSuite', ids);
  const runs = usePages('listEvalSuiteRuns', ids);
  const cases = useWholeList('listEvalCases', ids);
  const history = useOperation('getEvalSuiteHistory', ids);
  const mayRun = cases.data !== undefined && cases.data.length > 0;
  return (
    <PageFrame
      title={suite.data?.name ?? 'Suite'}
      crumbs={<ProjectCrumbs projectId={ids.projectId} section="evals" />}
      actions={suite.data && <SuiteActions ids={ids} name={suite.data.name} />}
    >
      <QueryView query={suite}>
        {() => (
          <>
            <div className="two-columns">
              <div>
                {mayRun && <RunSuite ids={ids} />}
                {detail.data !== undefined && <ScheduleLine suite={detail.data} />}
              </div>
              {history.data !== undefined && (
                <PassRateChart projectId={ids.projectId} runs={history.data.runs} />
              )}
            </div>
            <section aria-labelledby="cases">
              <div className="section-head">
                <h2 id="cases">Cases</h2>
                <Link
                  to="/projects/$projectId/suites/$suiteId/cases/new"
                  params={ids}
                  className="button"
                >
                  Add case
                </Link>
              </div>
              <QueryView query={cases}>
                {(all) =>
                  all.length > 0 ? (
                    <QueryView query={detail}>
                      {(known) => (
                        <CaseList ids={ids} cases={all} suite={known} history={history.data} />
                      )}
                    </QueryView>
                  ) : (
                    <p className="hint">
                      No case is written here: this suite is known by results that were reported, or
                      its cases were deleted.
                    </p>
                  )
                }
              </QueryView>
            </section>
            <SuiteQuarantine ids={ids} cases={cases.data ?? []} />
            {mayRun && props.mutations(ids, cases.data ?? [])}
            {mayRun && <PlanPanel ids={ids} />}
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
          </>
        )}
      </QueryView>
    </PageFrame>
  );
}

function SuiteActions({ ids, name }: { ids: SuiteIds; name: string }) {
  return (
    <>
      <ExportSuite ids={ids} name={name} />
      <Link to="/projects/$projectId/suites/$suiteId/settings" params={ids} className="button">
        Settings
      </Link>
    </>
  );
}

function ExportSuite({ ids, name }: { ids: SuiteIds; name: string }) {
  const write = useChange('exportEvalSuite', (format: 'yaml' | 'json') => ({ ...ids, format }), {
    readAgain: [],
  });
  const save = () =>
    write.mutate('yaml', {
      onSuccess: ({ content, warnings }) => {
        saveFile(new Blob([content], { type: 'application/yaml' }), fileName(name));
        const [first] = warnings;
        if (first !== undefined) notify(first);
      },
      onError: ({ message }) => notify(message),
    });
  return (
    <button type="button" disabled={write.isPending} onClick={save}>
      Export
    </button>
  );
}

function fileName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `${plain.slice(0, 80) || 'suite'}.yaml`;
}
