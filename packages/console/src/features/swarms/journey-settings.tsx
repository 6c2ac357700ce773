/** What a journey is and asks; its persona and its swarm stay. */
import { forForm, useChange, useOperation } from '../../kit/data/operations.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { journeyEdit, journeyFields, readJourneyEdit } from './bodies.ts';
import { EditForm } from './body-forms.tsx';
import { useJourneyChoices } from './data/journey-choices.ts';
import type { Journey } from './data/swarms.ts';
import { statedFields } from './draft-of-body.ts';
import { JourneyFields, journeyFieldNames } from './journey-fields.tsx';

export function JourneySettings({ journey }: { journey: Journey }) {
  const { projectId, id: journeyId } = journey;
  const choices = useJourneyChoices(projectId);
  const update = useChange('updateJourney', { projectId, journeyId });
  const { refetch } = useOperation('getJourney', { projectId, journeyId }, forForm);
  return (
    <>
      <p className="intro">Runs that were launched keep what was set at that moment.</p>
      <QueryView query={choices}>
        {(all) => (
          <EditForm
            key={journey.updatedAt}
            what="journey"
            saved={statedFields(journey, journeyFields)}
            read={readJourneyEdit}
            shown={journeyFieldNames}
            editOf={(body) => journeyEdit(journey, body)}
            update={update}
            onSaved={() => void refetch()}
          >
            {(draft, problems, onChange) => (
              <JourneyFields {...{ draft, problems, onChange }} choices={all} />
            )}
          </EditForm>
        )}
      </QueryView>
    </>
  );
}
