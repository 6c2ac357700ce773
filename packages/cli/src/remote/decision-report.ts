/** The decision of a run as one of the files that other programs and people read. */
import { knownOfRun, renderJunit, waiverOf } from '@proofmark/domain';
import type { Connection } from './connection.ts';
import { decisionText } from './decision-text.ts';
import type { FetchedDecision } from './fetch-decision.ts';

export const reportFormats = ['markdown', 'json', 'junit', 'html'] as const;
export type DecisionFormat = (typeof reportFormats)[number];

export async function writeDecision(
  connection: Connection,
  decision: FetchedDecision,
  format: DecisionFormat,
): Promise<string> {
  switch (format) {
    case 'json':
      return `${JSON.stringify(decision.summary)}\n`;
    case 'junit':
      return junitReport(connection, decision);
    case 'markdown':
    case 'html':
      return decisionText(connection, decision, { format });
  }
}

async function junitReport(connection: Connection, decision: FetchedDecision): Promise<string> {
  const { client, projectId, url } = connection;
  const { run, summary, calls, isAll } = decision;
  const { suiteId, runNumber, createdAt, completedAt } = run;
  const suite = await client.getEvalSuite({ projectId, suiteId });
  return renderJunit(summary, {
    ...knownOfRun(run, isAll),
    ...{ calls, waiver: waiverOf(run), caseTitles: run.caseTitles },
    ...{ suiteName: suite.name, runNumber, startedAt: createdAt, endedAt: completedAt },
    console: { baseUrl: url, projectId: run.projectId },
  });
}
