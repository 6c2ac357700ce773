import '../../../kit/styles/workbench.css';
import '../swarms.css';
import { usualNumbers } from '@proofmark/domain';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useChange, useWholeList } from '../../../kit/data/operations.ts';
import { NewEntityPage } from '../../../kit/frame/new-entity-page.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { readSwarm, swarmFields } from '../bodies.ts';
import { CreateForm } from '../body-forms.tsx';
import { SwarmFields } from '../swarm-fields.tsx';

export function NewSwarmPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/swarms/new' });
  const navigate = useNavigate();
  const environments = useWholeList('listEnvironments', { projectId });
  const create = useChange('createSwarm', { projectId });
  const entity = { what: 'swarm', projectId, section: 'swarms' } as const;
  return (
    <NewEntityPage
      entity={entity}
      intro="A folder of journeys. A new journey starts with the values set here; existing journeys do not change."
    >
      <QueryView query={environments}>
        {(all) => (
          <CreateForm
            entity={entity}
            start={usualNumbers}
            read={readSwarm}
            shown={swarmFields}
            create={create}
            open={({ id: swarmId }) =>
              navigate({
                to: '/projects/$projectId/swarms/$swarmId',
                params: { projectId, swarmId },
              })
            }
          >
            {(draft, problems, onChange) => (
              <SwarmFields
                draft={draft}
                problems={problems}
                onChange={onChange}
                environments={all}
              />
            )}
          </CreateForm>
        )}
      </QueryView>
    </NewEntityPage>
  );
}
