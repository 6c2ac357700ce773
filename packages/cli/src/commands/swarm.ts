/** Swarms are folders of journeys with default values that new journeys copy. */
import type { BodyInputOf, OutputOf } from '@proofmark/contract';
import { cleanText, count, usualNumbers } from '@proofmark/domain';
import { Command } from 'commander';
import { collectFlag } from '../remote/collect-flag.ts';
import { createCommand, given } from '../remote/create-command.ts';
import { findEnvironmentIds, findSwarmId } from '../remote/find-id.ts';
import { listingCommand } from '../remote/listing-command.ts';
import { showCommand } from '../remote/show-command.ts';
import { wholeNumber } from '../remote/whole-number.ts';

type Swarm = OutputOf<'getSwarm'>;

interface Flags {
  readonly name?: string;
  readonly description?: string;
  readonly environment?: readonly string[];
  readonly sessions?: number;
  readonly turns?: number;
}

export function swarmCommand(): Command {
  return new Command('swarm')
    .description('list, show and create folders of journeys')
    .addCommand(list())
    .addCommand(show())
    .addCommand(create());
}

function list(): Command {
  return listingCommand<Swarm>({
    description: 'list the swarms of a project',
    readPage: ({ client, projectId }, page) => client.listSwarms({ projectId, ...page }),
    none: 'No swarms yet. Make one: proofmark swarm create --name NAME',
    header: ['ID', 'SESSIONS', 'TURNS', 'NAME'],
    row: ({ id, name, sessionsPerTarget, maxTurns }, ascii) => [
      id,
      String(sessionsPerTarget ?? ''),
      String(maxTurns ?? ''),
      cleanText(name, ascii),
    ],
  });
}

function show(): Command {
  return showCommand<Swarm>({
    what: 'swarm',
    description: 'show a swarm and its journeys',
    read: async (connection, wanted) =>
      connection.client.getSwarm({
        projectId: connection.projectId,
        swarmId: await findSwarmId(connection, wanted),
      }),
    facts: async (swarm, { client, projectId }) => {
      const journeys = await client.listJourneys({ projectId, swarmId: swarm.id });
      const names = journeys.items.map(({ id, name }) => `${name} (${id})`);
      const more = journeys.nextCursor === undefined ? [] : ['and more'];
      return [
        ['Swarm', swarm.name],
        ['Id', swarm.id],
        ['Description', swarm.description ?? 'none'],
        ['To copy', numbersOf(swarm)],
        ['Environments', swarm.environmentIds.join(', ') || 'none'],
        ['Journeys', [...names, ...more].join(', ') || 'none yet'],
      ];
    },
  });
}

function numbersOf({ sessionsPerTarget, maxTurns }: Swarm): string {
  if (sessionsPerTarget === null || maxTurns === null) return 'no numbers';
  return `${count(sessionsPerTarget, 'session')} on each target, at most ${count(maxTurns, 'turn')} each`;
}

function create(): Command {
  return createCommand<Flags>({
    what: 'swarm',
    description: 'make a swarm from flags, a JSON file, or both (flags win)',
    fieldsOf: async ({ name, description, environment, sessions, turns }, connection) =>
      given({
        name,
        description,
        sessionsPerTarget: sessions,
        maxTurns: turns,
        environmentIds: environment && (await findEnvironmentIds(connection, environment)),
      }),
    create: ({ client, projectId }, fields) =>
      client.createSwarm({
        projectId,
        body: { ...usualNumbers, ...fields } as BodyInputOf<'createSwarm'>,
      }),
    next: (id) => `Next: proofmark journey create --swarm ${id}`,
  })
    .option('--name <name>', 'the name of the swarm')
    .option('--description <text>', 'its description')
    .option(
      '--environment <id or name>',
      'an environment to copy into journeys; repeat for more',
      collectFlag,
    )
    .option(
      '--sessions <number>',
      'sessions on each target, copied into journeys (1 to 100)',
      wholeNumber,
    )
    .option(
      '--turns <number>',
      'most turns of a session, copied into journeys (1 to 200)',
      wholeNumber,
    );
}
