import { type ListPage, type PageCursor, readAllPages } from '@proofmark/client';
import { namedOne } from './choose-project.ts';
import type { Connection } from './connection.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

export function findSuiteId(connection: Connection, wanted: string): Promise<string> {
  const { client, projectId } = connection;
  return findId(wanted, 'ste', 'suite', (page) => client.listEvalSuites({ projectId, ...page }));
}

export function findPersonaId(connection: Connection, wanted: string): Promise<string> {
  const { client, projectId } = connection;
  return findId(wanted, 'per', 'persona', (page) => client.listPersonas({ projectId, ...page }));
}

export function findJourneyId(connection: Connection, wanted: string): Promise<string> {
  const { client, projectId } = connection;
  return findId(wanted, 'jny', 'journey', (page) => client.listJourneys({ projectId, ...page }));
}

export function findSwarmId(connection: Connection, wanted: string): Promise<string> {
  const { client, projectId } = connection;
  return findId(wanted, 'swm', 'swarm', (page) => client.listSwarms({ projectId, ...page }));
}

export function findScenarioId(connection: Connection, wanted: string): Promise<string> {
  const { client, projectId } = connection;
  return findId(wanted, 'scn', 'scenario', (page) => client.listScenarios({ projectId, ...page }));
}

export async function findEnvironmentIds(
  { client, projectId }: Connection,
  wanted: readonly string[],
): Promise<string[]> {
  if (wanted.every((one) => /^env_\w+$/.test(one))) return [...wanted];
  const all = await readAllPages((page) => client.listEnvironments({ projectId, ...page }));
  return wanted.map((one) => namedOne(all, one, 'environment').id);
}

async function findId(
  wanted: string,
  prefix: string,
  what: string,
  readPage: (page: PageCursor) => Promise<ListPage<Named>>,
): Promise<string> {
  if (new RegExp(`^${prefix}_\\w+$`).test(wanted)) return wanted;
  const all = await readAllPages(readPage);
  return namedOne(all, wanted, what, `see \`proofmark ${what} list\``).id;
}
