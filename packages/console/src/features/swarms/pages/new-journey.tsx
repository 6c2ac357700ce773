import '../../../kit/styles/workbench.css';
import '../swarms.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useChange } from '../../../kit/data/operations.ts';
import { NewEntityPage } from '../../../kit/frame/new-entity-page.tsx';
import { Empty, QueryView } from '../../../kit/query-view.tsx';
import { journeyStart, readNewJourney } from '../bodies.ts';
import { CreateForm } from '../body-forms.tsx';
import { useJourneyChoices } from '../data/journey-choices.ts';
import { JourneyFields, journeyFieldNames } from '../journey-fields.tsx';

const route = '/signed-in/projects/$projectId/journeys/new';

export function NewJourneyPage() {
  const { projectId } = useParams({ from: route });
  const { swarm, persona } = useSearch({ from: route });
  const navigate = useNavigate();
  const choices = useJourneyChoices(projectId);
  // The form copies the swarm's values once, when it opens. The cached list may lack a new swarm,
  // so the form opens only after the list is reloaded.
  const isKnown =
    swarm === undefined ||
    !choices.isFetching ||
    choices.data?.swarms.some(({ id }) => id === swarm) === true;
  const create = useChange('createJourney', { projectId });
  const entity = { what: 'journey', projectId, section: 'swarms' } as const;
  return (
    <NewEntityPage
      entity={entity}
      intro="A goal that a persona pursues, in conversations with the assistant of each target."
    >
      <QueryView query={isKnown ? choices : { ...choices, data: undefined }}>
        {(all) =>
          all.personas.length === 0 ? (
            <Empty title="No persona yet">
              <p>
                Somebody has to pursue the goal. Personas and journeys can be drafted from the tools
                of an environment.
              </p>
              <Link
                to="/projects/$projectId/drafts"
                params={{ projectId }}
                {...(swarm !== undefined && { search: { swarm } })}
                className="button primary"
              >
                Draft from tools
              </Link>{' '}
              <Link
                to="/projects/$projectId/personas/new"
                params={{ projectId }}
                className="button"
              >
                New persona
              </Link>
            </Empty>
          ) : (
            <CreateForm
              entity={entity}
              start={journeyStart(
                all.swarms.find(({ id }) => id === swarm),
                persona ?? (all.personas.length === 1 ? all.personas[0]?.id : undefined),
              )}
              read={readNewJourney}
              shown={journeyFieldNames}
              create={create}
              open={({ id: journeyId }) =>
                navigate({
                  to: '/projects/$projectId/journeys/$journeyId',
                  params: { projectId, journeyId },
                })
              }
            >
              {(draft, problems, onChange) => (
                <JourneyFields
                  draft={draft}
                  problems={problems}
                  onChange={onChange}
                  choices={all}
                  isNew
                />
              )}
            </CreateForm>
          )
        }
      </QueryView>
    </NewEntityPage>
  );
}
