/** The decision of a run as one of the files that other programs and people read. */
import { type DecisionFormat, decisionFile } from '@proofmark/domain';
import type { Connection } from './connection.ts';
import type { FetchedDecision } from './fetch-decision.ts';

export async function writeDecision(
  { client, projectId, url }: Connection,
  decision: FetchedDecision,
  format: DecisionFormat,
): Promise<string> {
  const { suiteId } = decision.run;
  const suite =
    format === 'junit' ? await client.getEvalSuite({ projectId, suiteId }) : { name: undefined };
  return decisionFile(format, { ...decision, suiteName: suite.name, baseUrl: url });
}
