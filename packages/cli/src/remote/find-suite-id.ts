import { readAllPages } from '@proofmark/client';
import { namedOne } from './choose-project.ts';
import type { Connection } from './connection.ts';

/** The id of a suite that was named by its id or its name. */
export async function findSuiteId(connection: Connection, wanted: string): Promise<string> {
  if (/^ste_\w+$/.test(wanted)) return wanted;
  const { client, projectId } = connection;
  const suites = await readAllPages((page) => client.listEvalSuites({ projectId, ...page }));
  return namedOne(suites, wanted, 'suite', 'see `proofmark suite list`').id;
}
