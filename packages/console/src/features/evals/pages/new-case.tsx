import '../../../kit/styles/workbench.css';
import '../../../kit/styles/server-calls.css';
import '../../../kit/styles/suite.css';
import { useNavigate, useParams } from '@tanstack/react-router';
import { allBelow } from '../../../kit/data/address-key.ts';
import { useChange, useOperation } from '../../../kit/data/operations.ts';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { notify } from '../../../kit/notice.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { type CaseBody, newStep } from '../suites/case-draft.ts';
import { CaseEditor } from '../suites/case-editor.tsx';
import { BackToSuite, SuiteCrumbs } from '../suites/suite-crumbs.tsx';

export function NewCasePage() {
  const ids = useParams({ from: '/signed-in/projects/$projectId/suites/$suiteId/cases/new' });
  const suite = useOperation('getEvalSuite', ids);
  const navigate = useNavigate();
  const add = useChange('createEvalCase', ids, { readAgain: [allBelow('getEvalSuite', ids)] });
  const to = '/projects/$projectId/suites/$suiteId';
  return (
    <PageFrame
      title="New case"
      crumbs={<SuiteCrumbs ids={ids} />}
      intro="A case is one thing to test: steps that are played, and checks that must hold."
    >
      <QueryView query={suite}>
        {(known) => {
          const only =
            known.environment.servers.length === 1 ? known.environment.servers[0] : undefined;
          const first = known.mode === 'serverContract' ? 'toolCall' : 'prompt';
          return (
            <CaseEditor
              suite={known}
              start={{ steps: [newStep(first, [], only)] }}
              save={add}
              action="Add case"
              onSave={(value) =>
                add.mutate(value as unknown as CaseBody, {
                  onSuccess: ({ title }) => {
                    notify(`Case ${title} added.`);
                    void navigate({ to, params: ids });
                  },
                })
              }
              cancel={<BackToSuite ids={ids} />}
            />
          );
        }}
      </QueryView>
    </PageFrame>
  );
}
