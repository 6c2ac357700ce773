import { Link, useParams } from '@tanstack/react-router';
import { forForm, useChange, useOperation } from '../../../kit/data/operations.ts';
import { personaEdit, personaFields, readPersona } from '../bodies.ts';
import { EditForm } from '../body-forms.tsx';
import type { Persona } from '../data/swarms.ts';
import { statedFields } from '../draft-of-body.ts';
import { JourneysPage } from '../journeys-page.tsx';
import { PersonaFields } from '../persona-fields.tsx';

export function PersonaDetailPage() {
  const { projectId, personaId } = useParams({
    from: '/signed-in/projects/$projectId/personas/$personaId',
  });
  const persona = useOperation('getPersona', { projectId, personaId }, forForm);
  return (
    <JourneysPage
      archive="deletePersona"
      projectId={projectId}
      title="Persona"
      intro={persona.data?.role}
      item={persona.data}
      query={persona}
      belongs={(journey) => journey.personaId === personaId}
      newJourney={{ persona: personaId }}
      none="They pursue no goal yet."
      archiving={(journeyCount) =>
        journeyCount === 0
          ? 'Runs that were played by this persona stay as they are.'
          : 'Journeys still name this persona. Archive them first.'
      }
      more={() => (
        <Link
          to="/projects/$projectId/drafts"
          params={{ projectId }}
          search={{ persona: personaId }}
          className="button"
        >
          Draft journeys
        </Link>
      )}
      settings={(found) => (
        <Edit key={found.id} persona={found} onSaved={() => void persona.refetch()} />
      )}
    />
  );
}

function Edit({ persona, onSaved }: { persona: Persona; onSaved: () => void }) {
  return (
    <EditForm
      what="persona"
      saved={statedFields(persona, personaFields)}
      read={readPersona}
      shown={personaFields}
      editOf={(body) => personaEdit(persona, body)}
      update={useChange('updatePersona', { projectId: persona.projectId, personaId: persona.id })}
      onSaved={onSaved}
    >
      {(draft, problems, onChange) => (
        <PersonaFields draft={draft} problems={problems} onChange={onChange} />
      )}
    </EditForm>
  );
}
