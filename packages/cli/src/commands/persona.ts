import type { BodyInputOf, OutputOf } from '@proofmark/contract';
import { cleanText } from '@proofmark/domain';
import { Command } from 'commander';
import { createCommand, given } from '../remote/create-command.ts';
import { draftCommand } from '../remote/draft-command.ts';
import { findPersonaId } from '../remote/find-id.ts';
import { listingCommand } from '../remote/listing-command.ts';
import { showCommand } from '../remote/show-command.ts';
import { wholeNumber } from '../remote/whole-number.ts';

type Persona = OutputOf<'getPersona'>;

export function personaCommand(): Command {
  return new Command('persona')
    .description('list, show, draft and create personas, the simulated users of journeys')
    .addCommand(list())
    .addCommand(show())
    .addCommand(draft())
    .addCommand(create());
}

function list(): Command {
  return listingCommand<Persona>({
    description: 'list the personas of a project',
    readPage: ({ client, projectId }, page) => client.listPersonas({ projectId, ...page }),
    none: 'No personas yet. Make one: proofmark persona create --name NAME --role ROLE',
    header: ['ID', 'NAME AND ROLE'],
    row: ({ id, name, role }, ascii) => [id, cleanText(`${name}, ${role}`, ascii)],
  });
}

function show(): Command {
  return showCommand<Persona>({
    what: 'persona',
    description: 'show a persona',
    read: async (connection, wanted) =>
      connection.client.getPersona({
        projectId: connection.projectId,
        personaId: await findPersonaId(connection, wanted),
      }),
    facts: ({ id, name, role, notes }) => [
      ['Persona', name],
      ['Id', id],
      ['Role', role],
      ['Notes', notes ?? 'none'],
    ],
  });
}

function draft(): Command {
  return draftCommand<{ count?: number }>({
    description: 'draft personas and their journeys from the tools of an environment',
    async draft({ client, projectId }, grounding, { count = usualDrafts }) {
      const known = await client.listPersonas({ projectId, limit: mostKnown });
      const existingPersonas = known.items.map(({ name, role }) => ({ name, role }));
      const body = { ...grounding, personaCount: count, existingPersonas };
      return client.generatePersonas({ projectId, body });
    },
    next: 'proofmark persona create --name NAME --role ROLE',
  }).option(
    '--count <number>',
    `number of personas (1 to 12, default: ${usualDrafts})`,
    wholeNumber,
  );
}

const usualDrafts = 3;
/**
 * Maximum number of existing personas sent with a request for drafts, newest first. The drafts must
 * differ from them.
 */
const mostKnown = 30;

function create(): Command {
  return createCommand<{ name?: string; role?: string; notes?: string }>({
    what: 'persona',
    description: 'make a persona from flags, a JSON file, or both (flags win)',
    fieldsOf: ({ name, role, notes }) => given({ name, role, notes }),
    create: ({ client, projectId }, fields) =>
      client.createPersona({ projectId, body: fields as BodyInputOf<'createPersona'> }),
    next: (id) => `Next: proofmark journey create --persona ${id}`,
  })
    .option('--name <name>', 'the name of the persona')
    .option('--role <role>', 'its role, as "hurried manager"')
    .option('--notes <text>', 'further notes on the persona');
}
