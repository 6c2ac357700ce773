import type { BodyInputOf } from '@proofmark/contract';
import { type Json, usualNumbers } from '@proofmark/domain';
import type { Command } from 'commander';
import { collectFlag } from '../../remote/collect-flag.ts';
import type { Connection } from '../../remote/connection.ts';
import { createCommand, given } from '../../remote/create-command.ts';
import { findEnvironmentIds, findPersonaId, findSwarmId } from '../../remote/find-id.ts';
import { wholeNumber } from '../../remote/whole-number.ts';

interface Flags {
  readonly name?: string;
  readonly goal?: string;
  readonly persona?: string;
  readonly swarm?: string;
  readonly environment?: readonly string[];
  readonly sessions?: number;
  readonly turns?: number;
  readonly playedBy?: string;
  readonly refuseWrites?: true;
  readonly allowWrite?: readonly string[];
}

export function journeyCreateCommand(): Command {
  return createCommand<Flags>({
    what: 'journey',
    description: 'make a journey from flags, a JSON file, or both; checks come from the file',
    fieldsOf: fieldsOfFlags,
    create: async (connection, fields) => {
      const body = { ...(await valuesToCopy(connection, fields)), ...fields };
      const { client, projectId } = connection;
      return client.createJourney({ projectId, body: body as BodyInputOf<'createJourney'> });
    },
    next: (id) => `Run it: proofmark journey run ${id} --wait`,
  })
    .option('--goal <text>', 'the goal of the persona')
    .option('--persona <id or name>', 'the persona')
    .option('--name <name>', 'the name of the journey (default: from the goal)')
    .option(
      '--environment <id or name>',
      'an environment to play it in; repeat for more',
      collectFlag,
    )
    .option('--swarm <id or name>', 'its swarm; missing values are copied from it')
    .option('--sessions <number>', 'sessions on each target (1 to 100)', wholeNumber)
    .option('--turns <number>', 'most turns of a session (1 to 200)', wholeNumber)
    .option('--refuse-writes', 'call no tool held for writing')
    .option(
      '--allow-write <tool>',
      'a tool held for writing to allow; all others are rejected; repeat for more',
      collectFlag,
    )
    .option('--played-by <model>', 'the hosted model that plays the persona');
}

async function fieldsOfFlags(flags: Flags, connection: Connection): Promise<Json> {
  const { name, goal, persona, swarm, environment, sessions, turns, playedBy } = flags;
  const { allowWrite, refuseWrites } = flags;
  return given({
    name,
    goal,
    sessionsPerTarget: sessions,
    maxTurns: turns,
    personaModel: playedBy,
    allowWrites: allowWrite ?? (refuseWrites && []),
    personaId: persona && (await findPersonaId(connection, persona)),
    swarmId: swarm && (await findSwarmId(connection, swarm)),
    environmentIds: environment && (await findEnvironmentIds(connection, environment)),
  });
}

/**
 * Returns the swarm's values to copy into a new journey. Later changes to the swarm do not affect
 * the journey.
 */
async function valuesToCopy({ client, projectId }: Connection, { swarmId }: Json): Promise<Json> {
  if (typeof swarmId !== 'string') return usualNumbers;
  const swarm = await client.getSwarm({ projectId, swarmId });
  return {
    sessionsPerTarget: swarm.sessionsPerTarget ?? usualNumbers.sessionsPerTarget,
    maxTurns: swarm.maxTurns ?? usualNumbers.maxTurns,
    ...(swarm.environmentIds.length > 0 && { environmentIds: swarm.environmentIds }),
  };
}
