/** `proofmark persona …`: the kinds of users that journeys are played by. */
import type { BodyInputOf, OutputOf } from '@proofmark/contract';
import { cleanText } from '@proofmark/domain';
import { Command } from 'commander';
import { createCommand, given } from '../remote/create-command.ts';
import { findPersonaId } from '../remote/find-id.ts';
import { listingCommand } from '../remote/listing-command.ts';
import { showCommand } from '../remote/show-command.ts';

type Persona = OutputOf<'getPersona'>;

export function personaCommand(): Command {
  return new Command('persona')
    .description('list, show and create the kinds of users that play journeys')
    .addCommand(list())
    .addCommand(show())
    .addCommand(create());
}

function list(): Command {
  return listingCommand<Persona>({
    description: 'list the personas of a project',
    readPage: ({ client, projectId }, page) => client.listPersonas({ projectId, ...page }),
    none: 'No personas yet. Add one: proofmark persona create --name NAME --role ROLE',
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

function create(): Command {
  return createCommand<{ name?: string; role?: string; notes?: string }>({
    what: 'persona',
    description: 'make a persona from flags, a JSON file or both; flags win',
    fieldsOf: ({ name, role, notes }) => given({ name, role, notes }),
    create: ({ client, projectId }, fields) =>
      client.createPersona({ projectId, body: fields as BodyInputOf<'createPersona'> }),
    next: (id) => `Next: proofmark journey create --persona ${id}`,
  })
    .option('--name <name>', 'what the persona is called')
    .option('--role <role>', 'who they are: "hurried manager"')
    .option('--notes <text>', 'what else is known of them, and what they know');
}
