import { type DecisionFormat, decisionFile, quarantineToRender } from '@proofmark/report';
import type { Connection } from './connection.ts';
import { type FetchedDecision, readTrials } from './fetch-decision.ts';

export async function writeDecision(
  connection: Connection,
  decision: FetchedDecision,
  format: DecisionFormat,
): Promise<string> {
  const quarantine = quarantineToRender(decision);
  const known = { ...decision, quarantine, baseUrl: connection.url };
  if (format !== 'junit') return decisionFile(format, known);
  const { client, projectId } = connection;
  const { suiteId, id } = decision.run;
  const [suite, passed] = await Promise.all([
    client.getEvalSuite({ projectId, suiteId }),
    readTrials(connection, id, 'passed'),
  ]);
  return decisionFile(format, { ...known, suiteName: suite.name, passed: passed.items });
}
