import type { Command } from 'commander';
import { draftCommand } from '../../remote/draft-command.ts';
import { findPersonaId } from '../../remote/find-id.ts';

export function journeyDraftCommand(): Command {
  return draftCommand<{ persona: string }>({
    description: 'draft journeys of a persona from the tools of an environment',
    async draft(connection, grounding, flags) {
      const { client, projectId } = connection;
      const personaId = await findPersonaId(connection, flags.persona);
      const { name, role, notes } = await client.getPersona({ projectId, personaId });
      const persona = { name, role, ...(notes !== null && { notes }) };
      return client.generateJourneys({ projectId, body: { ...grounding, persona } });
    },
    next: 'proofmark journey create --persona ID --environment ID --goal GOAL --refuse-writes',
  }).requiredOption('--persona <id or name>', 'the persona of the journeys');
}
