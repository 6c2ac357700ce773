import '../../../kit/styles/workbench.css';
import '../../../kit/styles/server-calls.css';
import '../../../kit/styles/suite.css';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useChange, useOperation, useWholeList } from '../../../kit/data/operations.ts';
import { DeleteEntity } from '../../../kit/delete-entity.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { notify } from '../../../kit/notice.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import type { SuiteIds } from '../data/eval-suites.ts';
import { SettingsForm } from '../suites/settings-form.tsx';
import { SuiteCrumbs } from '../suites/suite-crumbs.tsx';

export function SuiteSettingsPage() {
  const ids = useParams({ from: '/signed-in/projects/$projectId/suites/$suiteId/settings' });
  const suite = useOperation('getEvalSuite', ids);
  const servers = useWholeList('listProjectServers', { projectId: ids.projectId });
  return (
    <PageFrame
      title={`Settings of ${suite.data?.name ?? 'the suite'}`}
      crumbs={<SuiteCrumbs ids={ids} />}
      intro="Runs that were launched before keep what they were launched with."
      actions={suite.data && <DeleteSuite ids={ids} name={suite.data.name} />}
    >
      <QueryView query={suite}>
        {(known) => (
          <QueryView query={servers}>
            {(all) => <SettingsForm suite={known} servers={all} />}
          </QueryView>
        )}
      </QueryView>
    </PageFrame>
  );
}

function DeleteSuite({ ids, name }: { ids: SuiteIds; name: string }) {
  const { projectId } = ids;
  const navigate = useNavigate();
  const remove = useChange('deleteEvalSuite', ids, {
    leave: () => {
      notify(`Suite ${name} deleted.`);
      return navigate({
        to: '/projects/$projectId',
        params: { projectId },
        search: { section: 'evals' },
      });
    },
  });
  return (
    <DeleteEntity what="suite" name={name} remove={remove}>
      <p>Its cases and all its runs go with it.</p>
    </DeleteEntity>
  );
}
