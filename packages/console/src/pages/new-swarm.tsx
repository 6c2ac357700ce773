import '../kit/styles/workbench.css';
import '../styles/swarms.css';
import { usualNumbers } from '@proofmark/domain';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEnvironments } from '../data/environments.ts';
import { useCreateSwarm } from '../data/swarms.ts';
import { NewEntityPage } from '../kit/new-entity-page.tsx';
import { QueryView } from '../kit/query-view.tsx';
import { CreateForm } from '../parts/swarms/body-forms.tsx';
import { SwarmFields } from '../parts/swarms/swarm-fields.tsx';
import { readSwarm, swarmFields } from '../swarms/bodies.ts';

export function NewSwarmPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/swarms/new' });
  const navigate = useNavigate();
  const environments = useEnvironments(projectId);
  const create = useCreateSwarm(projectId);
  const entity = { what: 'swarm', projectId, section: 'swarms' } as const;
  return (
    <NewEntityPage
      entity={entity}
      intro="A folder of journeys. What is set here a new journey starts with; those that are there stay as they are."
      width="narrow"
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
              <SwarmFields {...{ draft, problems, onChange }} environments={all} />
            )}
          </CreateForm>
        )}
      </QueryView>
    </NewEntityPage>
  );
}
